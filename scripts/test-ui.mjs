// The dashboard in a real browser, with real sessions.  npm run test:ui -- [file] [-t scenario]
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './find-browser.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

run(process.execPath, [join(root, 'scripts/build-ui.mjs')]);
const browser = findBrowser(console.log);
if (browser === undefined) {
  console.error(
    'test:ui: there is no Chrome or Chromium, and none could be installed. Set CHROME_PATH to one that is there.',
  );
  console.log('0 passed, 1 failed');
  process.exit(1);
}
run(
  join(root, 'node_modules/.bin/vitest'),
  ['run', '--config', 'test/ui/vitest.config.mjs', ...process.argv.slice(2)],
  { ...process.env, LOOPWRIGHT_TEST_BROWSER: browser },
);

function run(command, args, env = process.env) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
