// What running an agent costs over the bare way of doing it, each pair taken in turns in one run.
// argv: [names of measurements]; without any all of them.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const measurements = {
  pipe: () => faster('bytes/s through pipes, cleaned and logged', 'pipe', 'bare pipe', 0.3),
  terminal: () => faster('bytes/s through a terminal, cleaned and logged', 'terminal', 'bare node-pty', 0.5),
  start: startUp,
  many: concurrent,
  gigabyte,
  idle,
};

const asked = process.argv.slice(2);
const held = [];
for (const name of asked.length > 0 ? asked : Object.keys(measurements))
  held.push(await measurements[name]());
process.exitCode = held.every(Boolean) ? 0 : 1;

async function faster(name, kind, peer, wanted) {
  const { ours, bare } = await inTurns(kind, 7);
  const ratio = median(ours) / median(bare);
  return report(
    name,
    mega(median(ours)),
    `${peer} ${mega(median(bare))}`,
    `${ratio.toFixed(2)}x`,
    `at least ${wanted}x`,
    ratio >= wanted,
  );
}

async function startUp() {
  const { ours, bare } = await inTurns('start', 3);
  const ratio = median(ours) / median(bare);
  return report(
    'start to end of a headless program',
    ms(median(ours)),
    `bare spawn ${ms(median(bare))}`,
    `${ratio.toFixed(2)}x`,
    'at most 1.3x',
    ratio <= 1.3,
  );
}

async function concurrent() {
  const { rss, events, wanted } = await side('ours', 'many');
  const value = `${(rss / 2 ** 20).toFixed(0)} MB, ${events} of ${wanted} lines`;
  return report(
    '100 headless agents at once',
    value,
    '',
    '',
    'under 400 MB, every line',
    rss < 400 * 2 ** 20 && events === wanted,
  );
}

async function gigabyte() {
  const { growth, bytes } = await side('ours', 'gigabyte');
  const value = `${(growth / 2 ** 20).toFixed(0)} MB for ${(bytes / 2 ** 30).toFixed(1)} GB`;
  return report(
    'growth over 1 GB of output',
    value,
    '',
    '',
    'under 60 MB',
    growth < 60 * 2 ** 20 && bytes === 2 ** 30,
  );
}

async function idle() {
  const { share } = await side('ours', 'idle');
  return report(
    '50 idle attached terminals',
    `${(share * 100).toFixed(2)} % of a core`,
    '',
    '',
    'under 1 %',
    share < 0.01,
  );
}

/** Each round in a fresh process; who goes first changes every round. */
async function inTurns(kind, rounds) {
  const figures = { ours: [], bare: [] };
  for (let i = 0; i < rounds; i++) {
    for (const who of i % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours']) {
      figures[who].push((await side(who, kind)).value);
    }
  }
  return figures;
}

function side(who, kind) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [here('agents-side.mjs'), who, kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`${who} ${kind} failed`)),
    );
  });
}

function report(name, ours, peer, ratio, promise, holds) {
  console.log(
    `${name.padEnd(48)} ${ours.padEnd(28)} ${peer.padEnd(26)} ${ratio.padEnd(6)} ${promise}: ${holds ? 'holds' : 'MISSED'}`,
  );
  return holds;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function mega(bytesPerSecond) {
  return `${(bytesPerSecond / 1e6).toFixed(0)} MB/s`;
}

function ms(value) {
  return `${value.toFixed(2)} ms`;
}
