// Runs one measurement in its own process and prints it as JSON, so that no side warms up the other.
// argv: <loopwright|langgraph> <options as JSON>
const [side, text] = process.argv.slice(2);
const options = JSON.parse(text);
const { run } = await import(`./${side}-side.mjs`);

// Both sides are measured as a long-lived process has them, compiled and not on their first steps: a few
// thousand steps of warming up, or as many as fit into some seconds.
const WARM_STEPS = 4000;
const WARM_MS = 4000;
const began = performance.now();
for (let done = 0; done < WARM_STEPS && performance.now() - began < WARM_MS; done += options.steps)
  await run(options);

const results = [];
for (let i = 0; i < (options.rounds ?? 3); i++) {
  const { ms, load, settings } = await run(options);
  const loads = [];
  // Loading is warmed up as running is: the first hundred are not counted.
  if (load && options.load) for (let j = 0; j < 125; j++) loads.push(await load());
  loads.splice(0, 100);
  results.push({ ms, settings, load: median(loads) });
}
results.sort((a, b) => a.ms - b.ms);
const best = results[Math.floor(results.length / 2)];
process.stdout.write(
  JSON.stringify({
    ...best,
    load: median(results.map((result) => result.load)),
    stepsPerSecond: (options.steps / best.ms) * 1000,
  }),
);

function median(values) {
  const known = values.filter((value) => value !== undefined && !Number.isNaN(value)).sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)];
}
