// A real process that runs (or resumes) a session and kills itself with SIGKILL at one chosen point.
// argv: <work folder> <start|resume> <point as JSON>
// point: {} | {images: folder} | {op: n, when: 'before' | 'half'} | {block: n, when: 'started' | 'ended'} | {wait: blockNumber}
import fs from 'node:fs';
import { join, relative } from 'node:path';
import { Orchestrator, SessionManager } from '../../dist/index.js';
import { manifest, SESSION, workers } from './workload.mjs';

const [folder, how, pointText = '{}'] = process.argv.slice(2);
const point = JSON.parse(pointText);
const operations = [];

/** The time stands still but for each look at it, so a run does the same operations every time. */
let ticks = 0;
const clock = { now: () => 1_700_000_000_000 + ticks, elapsed: () => (ticks += 30) };

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // SIGKILL is not handled, but it may arrive an instant later
}

function killing(name) {
  return (...args) => {
    operations.push(name);
    if (point.images) photograph(name, args);
    if (operations.length === point.op) {
      if (point.when === 'half' && name === 'writeSync') {
        const [fd, data] = args;
        const bytes = Buffer.from(data);
        fs.writeSync(fd, bytes.subarray(0, Math.floor(bytes.length / 2)));
      }
      die();
    }
    const result = fs[name](...args);
    if (name === 'openSync') opened.set(result, args[0]);
    return result;
  };
}

/** Where each open file is: its writes all go to its end. */
const opened = new Map();

/**
 * What a kill at this operation would leave on the disk: a killed process leaves exactly what it wrote before. One
 * process takes all the pictures and then ends, so that each shows a session whose owner is gone.
 */
function photograph(name, args) {
  if (name === 'openSync' || name === 'closeSync') return;
  const image = (when) => {
    const target = join(point.images, `${operations.length}-${when}`);
    fs.cpSync(folder, target, { recursive: true });
    return target;
  };
  image('before');
  if (name !== 'writeSync') return;
  const [fd, data] = args;
  const bytes = Buffer.from(data);
  const file = join(image('half'), relative(folder, opened.get(fd)));
  fs.appendFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
}

const changing = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'fdatasyncSync',
  'ftruncateSync',
  'closeSync',
  'linkSync',
  'renameSync',
  'unlinkSync',
  'mkdirSync',
  'rmSync',
];
const disk = { ...fs, ...Object.fromEntries(changing.map((name) => [name, killing(name)])) };

const sessions = SessionManager.onDisk(join(folder, 'sessions'), { disk, clock, ids: () => SESSION });
const services = {
  sessions,
  clock,
  workers: workers(folder, (number, when) => {
    if (point.block === number && point.when === when) die();
    if (point.wait === number && when === 'started') return waitForRelease();
    return undefined;
  }),
};

async function waitForRelease() {
  process.send?.('waiting');
  await new Promise((resolve) => process.once('message', resolve));
}

try {
  const end =
    how === 'start'
      ? await new Orchestrator(manifest, services).execute('Main', { goal: 'survive' })
      : await Orchestrator.open(SESSION, services).resume({ takeOver: how === 'take-over' });
  process.send?.({ status: end.status, steps: end.used.steps });
  process.stdout.write(JSON.stringify({ operations, status: end.status }));
} catch (error) {
  process.send?.({ error: error.name });
  process.stdout.write(JSON.stringify({ operations, error: error.name, message: error.message }));
  process.exitCode = 1;
}
process.disconnect?.();
