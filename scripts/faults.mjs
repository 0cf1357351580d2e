// A longer fault run than the test suite's: kills a real process at random points, resumes it, kills it again.
// With --every at all points, and the kill tests of git at all of theirs.
//   npm run faults -- [--runs 500] [--seed 1] [--every]
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { everyWorker, everyWrite, operationsOfARun, tally } from '../test/durability/lab.mjs';
import { bundleVictims } from '../test/victims.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    every: { type: 'boolean', default: false },
  },
});

await bundleVictims();
const operations = await operationsOfARun();
const jobs = values.every
  ? [...everyWrite(operations), ...everyWorker()]
  : randomJobs(Number(values.runs), Number(values.seed), operations.length);

console.log(
  `${jobs.length} runs of 30 blocks, ${operations.length} disk operations each, seed ${values.seed}; this takes a while...`,
);
const began = performance.now();
const result = await tally(jobs, 2);
const seconds = Math.round((performance.now() - began) / 1000);
console.log(
  `${result.runs} runs, ${result.kills} kills, ${result.lost} finished steps lost, ${result.repeated} repeated, ` +
    `${result.notCompleted} not completed, ${result.outOfOrder} out of order (${seconds} s)`,
);
const clean = result.lost + result.repeated + result.notCompleted + result.outOfOrder === 0;
if (!clean) console.log(`Repeat it with --seed ${values.seed} --runs ${values.runs}.`);
process.exit(clean && (!values.every || killAroundEveryGit()) ? 0 : 1);

/** The suite kills where the disk has changed; this kills a real process around every git command. */
function killAroundEveryGit() {
  const files = [
    'test/workspace/kills.test.ts',
    'test/workspace/commands.test.ts',
    'test/modes/kills.test.ts',
  ];
  const env = { ...process.env, LOOPWRIGHT_FAULTS: 'every' };
  return spawnSync('node_modules/.bin/vitest', ['run', ...files], { env, stdio: 'inherit' }).status === 0;
}

/** One to four kills per run: the start, then the resumes. */
function randomJobs(count, seed, operationCount) {
  const random = generator(seed);
  const below = (n) => Math.floor(random() * n);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(4) }, () =>
      random() < 0.7
        ? { op: 1 + below(operationCount), when: random() < 0.5 ? 'before' : 'half' }
        : { block: 1 + below(30), when: random() < 0.5 ? 'started' : 'ended' },
    ),
  );
}

/** mulberry32: small, and the same on every machine. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
