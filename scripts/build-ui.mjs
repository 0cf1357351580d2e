// Builds the dashboard into dist/ui. Its packages are its own: whoever uses loopwright installs none of them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const app = join(root, 'dashboard');
const npm = process.env.npm_execpath;
const installStamp = join(app, 'node_modules/.loopwright-install');
const buildStamp = join(root, '.cache/ui-digest');

const lock = digest([join(app, 'package-lock.json')]);
if (!isStamped(installStamp, lock)) {
  // Not `npm ci`: it refuses a lockfile made where a registry lacks the binaries of other platforms.
  const args = ['install', '--no-save', '--no-progress', '--prefer-offline'];
  run(...(npm ? [process.execPath, [npm, ...args]] : ['npm', args]));
  stamp(installStamp, lock);
}
const sources = digest([
  join(app, 'package-lock.json'),
  join(app, 'index.html'),
  join(app, 'vite.config.ts'),
  ...filesBelow(join(app, 'src')),
  ...filesBelow(join(root, 'src/api')),
  ...filesBelow(join(root, 'src/kernel')),
]);
if (!isStamped(buildStamp, sources) || !existsSync(join(root, 'dist/ui/index.html'))) {
  run(process.execPath, [join(app, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']);
  stamp(buildStamp, sources);
}

/** Quiet unless it fails. */
function run(file, args) {
  const done = spawnSync(file, args, { cwd: app, encoding: 'utf8' });
  if (done.status === 0) return;
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}\n`);
  process.exit(done.status ?? 1);
}

function isStamped(file, wanted) {
  return existsSync(file) && readFileSync(file, 'utf8') === wanted;
}

function stamp(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, value);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function digest(files) {
  const hash = createHash('sha256').update(process.version);
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}
