// The full gate. Each check prints one line; a failing one prints everything it said.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules/.bin', name);
const node = (script, ...args) => [process.execPath, [join(root, script), ...args]];

const checks = [
  ['build', ...node('scripts/build.mjs', '--if-changed')],
  ['format', bin('biome'), ['check', '.']],
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['import directions', ...node('scripts/check-layers.mjs')],
  ['unused code', bin('knip'), []],
  ['code that only tests use', bin('knip'), ['--production', '--config', 'knip.production.json']],
  ['package', bin('publint'), ['--strict']],
  ['package types', bin('attw'), ['--pack', '.', '--profile', 'esm-only']],
];

let failed = 0;
for (const check of checks) {
  const [name, command, args] = [String(check[0]), String(check[1]), check[2]];
  const began = performance.now();
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${done.status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (done.status === 0) continue;
  failed += 1;
  console.log(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`);
}

const tests = spawnSync(
  bin('vitest'),
  ['run', '--reporter=default', '--reporter=./scripts/closing-line.mjs', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
if (failed > 0) console.log(`${failed} of ${checks.length} checks failed, see above.`);
process.exit(failed > 0 ? 1 : (tests.status ?? 1));
