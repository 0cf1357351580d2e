// npm calls this wherever it installs the package from its sources: for `npm install <git url>`, and in a clone. What it
// checked out has no `dist`, so it is built, once: a clone builds again when one of its commands needs it (bootstrap).
// A package from the registry is built already, and npm does not call this for it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = existsSync(join(root, 'dist/bin/loopwright.js'));
const hasTools = existsSync(join(root, 'node_modules/.bin/tsc'));
// Without the tools (`--omit=dev` in a clone) there is nothing to build with, and nobody asked for it.
if (built || !hasTools) process.exit(0);
for (const script of ['build.mjs', 'build-ui.mjs']) {
  const args = [join(root, 'scripts', script), '--if-changed'];
  const done = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
