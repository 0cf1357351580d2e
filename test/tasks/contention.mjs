// The large contention lab: node test/tasks/contention.mjs [processes] [tasks] [seed]
import { contend } from './contention/lab.mjs';

const [processes = 8, tasks = 2000, seed = 1] = process.argv.slice(2).map(Number);
const result = await contend({ processes, tasks, seed, every: 60 });
const { kills, stops, insideTransaction, refused, seconds, errors, wrong } = result;
process.stdout.write(
  `${processes} processes, ${tasks} tasks, seed ${seed}: ${seconds.toFixed(1)} s, ${kills} kill -9, ${stops} stopped and continued ` +
    `(${insideTransaction} more inside a transaction), ${refused} refusals, ${wrong.length} violations\n`,
);
for (const line of wrong.slice(0, 20)) process.stdout.write(`  ${line}\n`);
if (errors !== '') process.stdout.write(errors);
process.exitCode = wrong.length === 0 && errors === '' ? 0 : 1;
