// What the dashboard's server costs on a project of 100 sessions with 10,000 steps each and 10,000 tasks.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { Orchestrator, openProject, SessionManager } from '../dist/index.js';
import { encodeLine } from '../dist/orchestrator/state/files/line.js';

const COMMAND = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/bin/loopwright.js');
const SESSIONS = 100;
const STEPS = 10_000;
const TASKS = 10_000;
const LOG_BYTES = 50 * 1024 * 1024;
const APPENDS = 300;

if (process.platform !== 'linux') {
  console.log('the dashboard server: measured on Linux only');
  process.exit(0);
}
const root = mkdtempSync(join(tmpdir(), 'lw-bench-server-'));
const place = { cwd: root, env: { ...process.env, LOOPWRIGHT_TRUST: '1' } };
let holds = true;
let server;
try {
  const ids = await make();
  server = spawn(process.execPath, [COMMAND, 'ui', '--port', '0', '--json'], place);
  server.stderr.pipe(process.stderr);
  const { port } = JSON.parse(await firstLine(server));
  const bearer = spawnSync(process.execPath, [COMMAND, 'ui', '--bearer'], {
    ...place,
    encoding: 'utf8',
  }).stdout.trim();
  const get = async (path) => {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    const body = await answer.json();
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return { body, ms: performance.now() - began };
  };
  await get('/overview');
  const idle = await cpuOver(10_000);
  row('CPU while nothing happens', idle, 1, '%');
  const page = await get(`/sessions/${ids[0]}`);
  const steps = await get(`/sessions/${ids[0]}/steps`);
  const graph = await get(`/sessions/${ids[0]}/graph`);
  if (steps.body.rows < STEPS) throw new Error(`only ${steps.body.rows} rows`);
  row(
    `open a session of ${STEPS} steps: page, graph and newest steps`,
    page.ms + steps.ms + graph.ms,
    500,
    'ms',
  );
  row('jump to a step in the middle', (await get(`/sessions/${ids[0]}/steps/${STEPS / 2}`)).ms, 100, 'ms');
  const log = `/sessions/${ids[0]}/logs/0001-big.log`;
  row('50 MB log: its end, for the first time', (await get(log)).ms, 500, 'ms');
  row('50 MB log: jump into the middle', (await get(`${log}?line=300000`)).ms, 100, 'ms');
  row(`the list of ${TASKS} tasks, first 500`, (await get('/tasks?limit=500')).ms, 1000, 'ms');
  const sockets = [];
  for (let from = 0; from < ids.length; from += 50)
    sockets.push(await look(port, bearer, ids.slice(from, from + 50)));
  for (const id of ids) await get(`/sessions/${id}/steps?limit=1`);
  // What was read for the answers before is garbage by then.
  await pause(3000);
  row(`memory with all ${SESSIONS} indexes and ${TASKS} tasks`, memory(), 200, 'MB');
  row('journal append to socket, p95', await appendToSocket(port, bearer, ids[0]), 150, 'ms');
  for (const socket of sockets) socket.close();
} finally {
  server?.kill('SIGTERM');
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = holds ? 0 : 1;

function row(what, value, most, unit) {
  const isGood = value < most;
  holds &&= isGood;
  const shown = value < 10 ? value.toFixed(2) : Math.round(value);
  console.log(
    `dashboard server, ${what}: ${shown} ${unit} (${isGood ? 'holds' : 'DOES NOT HOLD'}: below ${most} ${unit})`,
  );
}

/** One real session made long, known under many ids; its journal is the same file each time. */
async function make() {
  const folder = join(root, '.loopwright', 'sessions');
  mkdirSync(folder, { recursive: true });
  const block = { worker: 'A', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'HALT_AND_FLAG' }] };
  const workers = { A: (context) => ({ signal: 'SIGNAL:SUCCESS', new_payload: context.execution_payload }) };
  const sessions = SessionManager.onDisk(folder);
  const manifest = { nodes: { Main: { entry_block: 'A', blocks: { A: block } } } };
  const { sessionId } = await new Orchestrator(manifest, { workers, sessions }).execute('Main', {
    goal: 'a goal',
  });
  const journal = join(folder, sessionId, 'journal.1.jsonl');
  const step = stepIn(journal);
  const lines = Array.from({ length: STEPS }, (_, n) =>
    encodeLine({ ...step, step: n + 2, added: [segment(n)] }),
  );
  appendFileSync(journal, lines.join(''));
  sessions.summary(sessionId);
  const ids = [sessionId];
  // Beside the sessions, so that what is appended to the first is not appended to all.
  const shared = join(root, 'shared.jsonl');
  cpSync(journal, shared);
  const projection = readFileSync(join(folder, sessionId, 'session.json'), 'utf8');
  for (let n = 1; n < SESSIONS; n++) {
    const id = `copy-${n}`;
    mkdirSync(join(folder, id, 'logs'), { recursive: true });
    for (const name of ['manifest.json']) cpSync(join(folder, sessionId, name), join(folder, id, name));
    linkSync(shared, join(folder, id, 'journal.1.jsonl'));
    writeFileSync(join(folder, id, 'session.json'), projection.replaceAll(sessionId, id));
    ids.push(id);
  }
  const line = `${'\u001b[32mok\u001b[0m a line of a log of the usual length, with some colour in it'.padEnd(100, '.')}\n`;
  writeFileSync(
    join(folder, sessionId, 'logs', '0001-big.log'),
    line.repeat(Math.ceil(LOG_BYTES / line.length)),
  );
  const tasks = Array.from({ length: TASKS }, (_, n) => ({
    title: `task ${n}`,
    goal: `reach goal ${n}`,
    allowedPaths: [`src/${n}/**`],
  }));
  await openProject(root).importTasks({ text: JSON.stringify(tasks), format: 'json' });
  return ids;
}

function stepIn(journal) {
  const found = readFileSync(journal, 'utf8')
    .split('\n')
    .find((each) => each.startsWith('{"t":"step"'));
  const { crc: _crc, status: _status, ...step } = JSON.parse(found);
  return step;
}

function segment(n) {
  return { id: `${n + 2}.1`, type: 'NOTE', content: 'what a block found out, in a few words. '.repeat(8) };
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text);
    });
    child.once('exit', () => reject(new Error('the server ended')));
  });
}

function ticks() {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** In percent of one processor; a tick of the system is a hundredth of a second. */
async function cpuOver(ms) {
  await pause(2000);
  const before = ticks();
  await pause(ms);
  return ((ticks() - before) * 10 * 100) / ms;
}

function memory() {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
}

async function look(port, bearer, ids) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/live`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  await new Promise((resolve) => socket.once('open', resolve));
  const hello = new Promise((resolve) => socket.once('message', resolve));
  socket.send(JSON.stringify({ watch: ids.map((id) => `session:${id}`) }));
  await hello;
  return socket;
}

async function appendToSocket(port, bearer, id) {
  const socket = await look(port, bearer, [id]);
  const journal = join(root, '.loopwright', 'sessions', id, 'journal.1.jsonl');
  const step = stepIn(journal);
  const sent = new Map();
  const times = [];
  const all = new Promise((resolve) => {
    socket.on('message', (data) => {
      for (const { change } of JSON.parse(data).events ?? []) {
        const began =
          change.type === 'step.finished' && change.id === id ? sent.get(change.row.step) : undefined;
        if (began !== undefined) times.push(performance.now() - began);
        if (times.length === APPENDS) resolve();
      }
    });
  });
  for (let n = 0; n < APPENDS; n++) {
    const number = STEPS + 10 + n;
    sent.set(number, performance.now());
    appendFileSync(journal, encodeLine({ ...step, step: number, added: [] }));
    await pause(6);
  }
  await all;
  socket.close();
  times.sort((a, b) => a - b);
  console.log(
    `  append to socket: p50 ${Math.round(times[APPENDS / 2])} ms, worst ${Math.round(times.at(-1))} ms`,
  );
  return times[Math.floor(APPENDS * 0.95)];
}
