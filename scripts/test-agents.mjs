// The real agent CLIs against a model server on loopback. Needs npm's registry once, then no network.
//   npm run test:agents -- [name of a CLI]... [-t scenario]
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installClis } from '../test/agents-real/clis/install.mjs';
import { vitestArgs } from '../test/agents-real/subset.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cacheDir = resolve(root, process.env.LOOPWRIGHT_AGENTS_CACHE || '.cache/agents');
const table = resolve(root, process.env.LOOPWRIGHT_AGENTS_TABLE || '.cache/agents-table.json');

const args = orFail('no such test', () => vitestArgs(process.argv.slice(2), root));
// Without the CLIs nothing is tested, and that is a failure, never a pass.
const clis = orFail('the agent CLIs are not there', () => installClis(cacheDir, console.log));
const config = 'test/agents-real/vitest.config.mjs';
const tests = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', '--config', config, ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    LOOPWRIGHT_TEST_CLIS: JSON.stringify(clis),
    LOOPWRIGHT_AGENTS_TABLE: table,
  },
});
process.exit(tests.status ?? 1);

function orFail(what, get) {
  try {
    return get();
  } catch (error) {
    console.error(`test:agents: ${what}, so nothing was tested. ${error.message}`);
    console.log('0 passed, 1 failed');
    process.exit(1);
  }
}
