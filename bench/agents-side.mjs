// One measurement of running agents in a process of its own; prints it as JSON. argv: <ours|bare> <kind>
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRunner } from '../dist/agents/runner/pty.js';
import { createMasker } from '../dist/kernel/mask.js';

const fake = (name) => fileURLToPath(new URL(`../test/fake-agents/${name}.mjs`, import.meta.url));
const node = (name, ...args) => ({ command: process.execPath, args: [fake(name), ...args] });
/** As fast as a program can write. */
const printing = (mebibytes) => ({
  command: 'sh',
  args: ['-c', `yes 'one of many lines that an agent prints' | head -c ${mebibytes * 2 ** 20}`],
});
const folder = mkdtempSync(join(tmpdir(), 'agents-bench-'));
const env = { PATH: process.env.PATH };

const kinds = {
  ours: {
    pipe: () => throughput(256, () => ours('headless', printing(256))),
    terminal: () => throughput(64, () => ours('interactive', printing(64))),
    start: () => startUp(() => ours('headless', { command: 'true', args: [] })),
    many,
    gigabyte,
    idle,
  },
  bare: {
    pipe: () => throughput(256, () => barePipe(printing(256))),
    terminal: () => throughput(64, () => bareTerminal(printing(64))),
    start: () => startUp(() => barePipe({ command: 'true', args: [] })),
  },
};

const [, , who, kind] = process.argv;
try {
  process.stdout.write(JSON.stringify(await kinds[who][kind]()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runnerFor(mode, launch, more = {}) {
  return createRunner(mode, {
    adapter: { name: 'bench', getLaunchConfig: () => launch },
    cwd: folder,
    env,
    masker: createMasker([]),
    logFile: join(folder, 'bench.log'),
    ...more,
  });
}

/** Runs to the end and gives back the bytes that were seen. */
async function ours(mode, launch) {
  const runner = runnerFor(mode, launch);
  let bytes = 0;
  runner.events.subscribe((event) => {
    if (event.type === 'data') bytes += event.raw.length;
  });
  await runner.start();
  await runner.ended;
  return bytes;
}

function barePipe({ command, args }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    let bytes = 0;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (bytes += chunk.length));
    child.once('close', () => resolve(bytes));
  });
}

function bareTerminal({ command, args }) {
  const pty = createRequire(import.meta.url)('@lydell/node-pty');
  return new Promise((resolve) => {
    const terminal = pty.spawn(command, args, { cols: 80, rows: 30, cwd: folder, env });
    let bytes = 0;
    terminal.onData((text) => (bytes += text.length));
    terminal.onExit(() => resolve(bytes));
  });
}

/** The first run warms up; the start of the program counts for both sides alike. */
async function throughput(mebibytes, run) {
  await run();
  const began = performance.now();
  const bytes = await run();
  if (bytes < mebibytes * 2 ** 20 * 0.99) throw new Error(`only ${bytes} bytes arrived`);
  return { value: bytes / ((performance.now() - began) / 1000) };
}

async function startUp(run) {
  const times = [];
  for (let i = -20; i < 200; i++) {
    const began = performance.now();
    await run();
    if (i >= 0) times.push(performance.now() - began);
  }
  return { value: times.sort((a, b) => a - b)[100] };
}

/** Each writes lines at once with all others; every one must arrive. */
async function many() {
  const [agents, lines] = [100, 2000];
  const script = `i=0; while [ $i -lt ${lines} ]; do echo "line $i of an agent"; i=$((i+1)); done`;
  let events = 0;
  let highest = 0;
  await Promise.all(
    Array.from({ length: agents }, async (_, i) => {
      const runner = runnerFor(
        'headless',
        { command: 'sh', args: ['-c', script] },
        { logFile: join(folder, `${i}.log`) },
      );
      runner.events.subscribe((event) => {
        if (event.type !== 'data') return;
        events += event.clean.split('\n').length - 1;
        highest = Math.max(highest, process.memoryUsage.rss());
      });
      await runner.start();
      await runner.ended;
    }),
  );
  return { rss: highest, events, wanted: agents * lines };
}

async function gigabyte() {
  const runner = runnerFor('headless', node('flood', '1024'), {
    masker: createMasker(['a-secret-that-is-not-there']),
  });
  let bytes = 0;
  let first;
  let highest = 0;
  runner.events.subscribe((event) => {
    if (event.type !== 'data') return;
    bytes += event.raw.length;
    const rss = process.memoryUsage.rss();
    first ??= rss;
    highest = Math.max(highest, rss);
  });
  await runner.start();
  await runner.ended;
  return { growth: highest - first, bytes };
}

/**
 * The processor time of this process and of the hosts, over some seconds in which nothing happens. Node tidies its heap
 * once after eight seconds without work; that is waited for.
 */
async function idle() {
  const runners = Array.from({ length: 50 }, (_, i) =>
    runnerFor('interactive', node('hang'), { logFile: join(folder, `${i}.log`), silenceMs: 600_000 }),
  );
  for (const runner of runners) {
    const ready = new Promise((resolve) =>
      runner.events.subscribe((event) => event.type === 'data' && resolve()),
    );
    await runner.start();
    await ready;
    await runner.screen();
  }
  const SECONDS = 10;
  await sleep(15_000);
  const before = processorSeconds();
  await sleep(SECONDS * 1000);
  const share = (processorSeconds() - before) / SECONDS;
  await Promise.all(runners.map((runner) => runner.stop()));
  return { share };
}

function processorSeconds() {
  const own = [process.pid, ...hosts()].map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  });
  return own.reduce((sum, seconds) => sum + seconds, 0);
}

function hosts() {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
      return parent === process.pid;
    } catch (error) {
      if (error.code) return false;
      throw error;
    }
  });
}
