// How a step's time and bytes change over 10,000 steps of one session. argv: <strategy as JSON>
import { bytesBelow, run } from './loopwright-side.mjs';

const strategy = JSON.parse(process.argv[2]);
const STEPS = 10_000;
const WINDOW = 100;
const times = new Float64Array(STEPS + 1);
const sizes = [];

await run({ shape: 'loop', steps: 200, strategy, durable: true });
await run({
  shape: 'loop',
  steps: STEPS,
  strategy,
  durable: true,
  onStep: (step, root) => {
    times[step] = performance.now();
    if (step % 1000 === 0 || step === 1) sizes.push({ step, bytes: bytesBelow(root) });
  },
});

/** Median, so that a pause of the machine does not count as growth. */
function stepTime(end) {
  const spans = [];
  for (let step = end - WINDOW + 2; step <= end; step++)
    if (step % 1000 !== 1) spans.push(times[step] - times[step - 1]);
  return spans.sort((a, b) => a - b)[Math.floor(spans.length / 2)];
}
const perStep = sizes
  .slice(1)
  .map((entry, i) => (entry.bytes - sizes[i].bytes) / (entry.step - sizes[i].step));
process.stdout.write(
  JSON.stringify({
    at100: stepTime(200),
    at10000: stepTime(STEPS),
    bytesFirst: perStep[0],
    bytesLast: perStep.at(-1),
  }),
);
