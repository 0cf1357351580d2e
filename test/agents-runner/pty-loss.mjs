// Counts how many of many short runs on a terminal lose output, as built. argv: [runs] [at once] [--load]
// `--load` keeps every core busy beside it.

import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createRunner } from '../../dist/agents/runner/pty.js';
import { createMasker } from '../../dist/kernel/mask.js';

const [runs = 500, atOnce = 4] = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const SIZES = [10, 3000, 20_000, 70_000];
const file = fileURLToPath(new URL('../fake-agents/short.mjs', import.meta.url));
const wanted = new Map(
  SIZES.map((size) => [
    size,
    Array.from({ length: size / 10 }, (_, i) => `${String(i).padStart(9, '0')}\r\n`).join(''),
  ]),
);

const busy = process.argv.includes('--load') ? cpus().map(() => new Worker('for (;;);', { eval: true })) : [];
let lost = 0;
let missing = 0;
let next = 0;
const began = performance.now();
await Promise.all(Array.from({ length: atOnce }, work));
const seconds = (performance.now() - began) / 1000;
process.stdout.write(
  `${runs} runs, ${atOnce} at once${busy.length > 0 ? ', under load' : ''}: ${lost} lost output (${missing} bytes), ${seconds.toFixed(1)} s\n`,
);
await Promise.all(busy.map((worker) => worker.terminate()));
process.exit(lost === 0 ? 0 : 1);

async function work() {
  while (next < runs) {
    const size = SIZES[next++ % SIZES.length];
    const raw = await run(size);
    if (raw === wanted.get(size)) continue;
    lost++;
    missing += wanted.get(size).length - raw.length;
  }
}

async function run(size) {
  const runner = createRunner('interactive', {
    adapter: {
      name: 'short',
      getLaunchConfig: () => ({ command: process.execPath, args: [file, String(size)] }),
    },
    cwd: '/',
    env: { PATH: process.env.PATH },
    masker: createMasker([]),
  });
  let raw = '';
  runner.events.subscribe((event) => {
    if (event.type === 'data') raw += event.raw;
  });
  await runner.start();
  await runner.ended;
  return raw;
}
