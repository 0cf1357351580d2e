// The real agent CLIs against a model server on loopback. Needs npm's registry once, then no network.
//   npm run test:agents -- [claude|codex|gemini|opencode] [-t scenario]
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installClis } from '../test/agents-real/clis/install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cacheDir = resolve(root, process.env.LOOPWRIGHT_AGENTS_CACHE || '.cache/agents');

const clis = installed();
const config = 'test/agents-real/vitest.config.mjs';
const tests = spawnSync(
  join(root, 'node_modules/.bin/vitest'),
  ['run', '--config', config, ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LOOPWRIGHT_TEST_CLIS: JSON.stringify(clis) },
  },
);
process.exit(tests.status ?? 1);

/** Without the CLIs nothing is tested, and that is a failure, never a pass. */
function installed() {
  try {
    return installClis(cacheDir, console.log);
  } catch (error) {
    console.error(`test:agents: the agent CLIs are not there, so nothing was tested. ${error.message}`);
    console.log('0 passed, 1 failed');
    process.exit(1);
  }
}
