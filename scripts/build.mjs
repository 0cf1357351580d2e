// Compiles src to dist (library and types) and bundles the command into dist/bin for a fast start.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'dist', '.build-digest');
const wanted = sourceDigest();
if (
  process.argv.includes('--if-changed') &&
  existsSync(stampFile) &&
  readFileSync(stampFile, 'utf8') === wanted
) {
  process.exit(0);
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
run('tsc', ['-p', 'tsconfig.build.json']);
run('rolldown', ['-c', 'rolldown.config.mjs', '--log-level', 'warn']);
chmodSync(join(root, 'dist/bin/loopwright.js'), 0o755);
run(process.execPath, [join(root, 'scripts/write-schema.mjs')]);
writeFileSync(stampFile, wanted);

/** Quiet unless it fails. */
function run(command, args) {
  const file = command === process.execPath ? command : join(root, 'node_modules/.bin', command);
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
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
