// Plain Node, no dependencies: makes a fresh clone usable, then runs the task it was asked for.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules', '.loopwright-install');
const npm = process.env.npm_execpath;

const tasks = {
  demo: () => {
    if (rest.includes('--ui'))
      quietly('the dashboard', process.execPath, [join(root, 'scripts/build-ui.mjs')]);
    return node('dist/bin/loopwright.js', ['demo', ...rest]);
  },
  test: () => node('scripts/verify.mjs', rest),
  agents: () => node('scripts/test-agents.mjs', rest),
  ui: () => node('scripts/test-ui.mjs', rest),
  chaos: () => node('scripts/chaos.mjs', rest),
  faults: () => node('scripts/faults.mjs', rest),
  bench: () => node('bench/run.mjs', rest),
};

const [name, ...rest] = process.argv.slice(2);
const task = tasks[name];
if (!task) {
  console.error(`bootstrap: no task "${name}". It knows: ${Object.keys(tasks).join(', ')}.`);
  process.exit(1);
}
installWhenNeeded();
buildWhenNeeded();
process.exit(task());

function installWhenNeeded() {
  const wanted = digest(['package-lock.json']);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  console.log('Installing dependencies (only on the first run)...');
  // Not `npm ci`: it refuses a lockfile made where a registry lacks the binaries of other platforms.
  const args = ['install', '--no-save', '--no-progress', '--prefer-offline'];
  quietly('npm install', ...(npm ? [process.execPath, [npm, ...args]] : ['npm', args]));
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, wanted);
}

function buildWhenNeeded() {
  quietly('the build', process.execPath, [join(root, 'scripts/build.mjs'), '--if-changed']);
}

/** Shows a step's output only when it fails. */
function quietly(what, command, args) {
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status === 0) return;
  console.error(`bootstrap: ${what} failed.\n${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`);
  process.exit(1);
}

function node(script, args) {
  return (
    spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' }).status ?? 1
  );
}

function digest(files) {
  const hash = createHash('sha256').update(process.version);
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
