// npm calls this where the package is made from its sources: `npm install <git url>`, and an install in a clone. Only
// the first needs a build: a clone builds when a command of it is run (bootstrap), and a package from the registry is
// built already. What npm checks out for a git dependency has no `dist`, and its development tools are there by then.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = existsSync(join(root, 'dist/bin/loopwright.js'));
const hasTools = existsSync(join(root, 'node_modules/.bin/tsc'));
// Without the tools (`--omit=dev` in a clone) there is nothing to build with, and nobody asked for it.
if (built || !hasTools) process.exit(0);
const done = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-changed'], {
  stdio: 'inherit',
});
process.exit(done.status ?? 1);
