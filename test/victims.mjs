// The processes that tests kill, each bundled into one file: a process of three hundred modules takes three times as
// long to start. What runs is the same built code.
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const HERE = dirname(fileURLToPath(import.meta.url));
const FOLDER = join(dirname(HERE), '.cache/victims');
const VICTIMS = [
  'durability/victim',
  'durability/commanding-owner',
  'modes/github-victim',
  'modes/local-victim',
  'workspace/victim',
  'worktrees/victim',
];

export async function bundleVictims() {
  mkdirSync(FOLDER, { recursive: true });
  await Promise.all(VICTIMS.map(bundle));
}

async function bundle(name) {
  const file = join(FOLDER, `${name.replace('/', '-')}.mjs`);
  const aside = `${file}.${process.pid}`;
  await build({
    input: join(HERE, `${name}.mjs`),
    platform: 'node',
    external: ['libsql', '@lydell/node-pty'],
    output: { format: 'esm', file: aside, codeSplitting: false },
    logLevel: 'warn',
  });
  // At once: a test run beside this one may be starting it.
  renameSync(aside, file);
}
