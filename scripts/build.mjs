// Compiles src to dist (library and types) and bundles the command into dist/bin for a fast start.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAgentIndex } from './write-agent-index.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const command = join(root, 'dist/bin/loopwright.js');
// Beside dist, which is published whole.
const stampFile = join(root, '.cache', 'build-digest');
// Before the sources are looked at: it belongs to them.
writeAgentIndex(root);
const wanted = sourceDigest();
if (
  process.argv.includes('--if-changed') &&
  existsSync(command) &&
  existsSync(stampFile) &&
  readFileSync(stampFile, 'utf8') === wanted
) {
  process.exit(0);
}

// First the stamp: a build that is cut off must not look like a finished one.
rmSync(stampFile, { force: true });
// But for the dashboard, which has a build of its own.
for (const entry of existsSync(join(root, 'dist')) ? readdirSync(join(root, 'dist')) : [])
  if (entry !== 'ui') rmSync(join(root, 'dist', entry), { recursive: true, force: true });
run('tsc', ['-p', 'tsconfig.build.json']);
run('rolldown', ['-c', 'rolldown.config.mjs', '--log-level', 'warn']);
chmodSync(command, 0o755);
run(process.execPath, [join(root, 'scripts/write-schema.mjs')]);
mkdirSync(dirname(stampFile), { recursive: true });
writeFileSync(stampFile, wanted);

/** Quiet unless it fails. */
function run(tool, args) {
  const file = tool === process.execPath ? tool : join(root, 'node_modules/.bin', tool);
  const done = spawnSync(file, args, { cwd: root, encoding: 'utf8' });
  if (done.status === 0) return;
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}\n`);
  process.exit(done.status ?? 1);
}

function sourceDigest() {
  const hash = createHash('sha256');
  const inputs = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'rolldown.config.mjs',
  ];
  for (const file of [...inputs, ...filesBelow('src'), ...filesBelow('scripts')]) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(?:\.test|^testing)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
