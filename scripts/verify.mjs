// The full gate. Each check prints one line; a failing one prints everything it said.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules/.bin', name);
const node = (script, ...args) => [process.execPath, [join(root, script), ...args]];

let failed = 0;
const packed = mkdtempSync(join(tmpdir(), 'loopwright-packed-'));
process.on('exit', () => rmSync(packed, { recursive: true, force: true }));

// Everything else looks at what is built.
await check(['build', ...node('scripts/build.mjs', '--if-changed')]);
await check(['dashboard', ...node('scripts/build-ui.mjs')]);
// Without the scripts of the package, which would build again under the feet of the checks beside it.
await check(['pack', 'npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', packed]]);
const tarball = join(packed, readdirSync(packed)[0] ?? 'nothing-was-packed.tgz');

const checks = [
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
  ['package types', bin('attw'), [tarball, '--profile', 'esm-only']],
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['types of the dashboard', bin('tsc'), ['-p', 'dashboard/tsconfig.json']],
  ['size of the dashboard', ...node('scripts/check-ui.mjs')],
  ['unused code', bin('knip'), []],
  ['code that only tests use', bin('knip'), ['--production', '--config', 'knip.production.json']],
  ['package', bin('publint'), [tarball, '--strict']],
  ['format', bin('biome'), ['check', '.']],
  ['import directions', ...node('scripts/check-layers.mjs')],
];
const count = checks.length + 3;
await Promise.all(Array.from({ length: availableParallelism() }, lane));

/** Takes one check after the other from those that are left. */
async function lane() {
  for (let next = checks.shift(); next; next = checks.shift()) await check(next);
}

async function check([name, command, args]) {
  const began = performance.now();
  const { error, output } = await run(command, args);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${error ? 'FAIL' : 'ok  '} ${name} (${seconds} s)`);
  if (!error) return;
  failed += 1;
  console.log(`${output}${error.message}`);
}

function run(command, args) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
      resolve({ error, output: `${stdout}${stderr}` }),
    );
  });
}

const tests = spawnSync(
  bin('vitest'),
  ['run', '--reporter=default', '--reporter=./scripts/closing-line.mjs', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
if (failed > 0) console.log(`${failed} of ${count} checks failed, see above.`);
process.exit(failed > 0 ? 1 : (tests.status ?? 1));
