import { expect, test } from 'vitest';
import { secretNames } from './secrets.ts';

test.each([
  'DB_PASS',
  'PASS',
  'MYSQL_PASSWD',
  'SSH_PASSPHRASE',
  'GITHUB_PAT',
  'NPM_AUTH',
  'npm_config__auth',
  'SENTRY_DSN',
])('%s sounds like a secret', (name) => {
  expect(secretNames({ [name]: 'x' }, { user: [], project: [] })).toEqual([name]);
});

test.each(['PATH', 'NODE_PATH', 'GIT_AUTHOR_NAME', 'AUTHOR', 'COMPASS_DIR', 'PATTERN', 'PWD', 'BYPASS'])(
  '%s does not',
  (name) => {
    expect(secretNames({ [name]: 'x' }, { user: [], project: [] })).toEqual([]);
  },
);
