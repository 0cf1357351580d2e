// Durable claims per second with four processes, against one-row update transactions of the same database, and
// what a claim costs with 1,000 and with 100,000 tasks in line.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { openStore } from '../dist/store/open.js';

const SPAN_MS = 1000;
const PROCESSES = 4;
const AT_LEAST = 0.6;
const AT_MOST = 1.3;
const ROUNDS = 5;
/** What `work --concurrency` has under way in one process: what is asked for at once shares a commit. */
const IN_FLIGHT = 8;
const CLAIMS = 300;
const request = { agentId: 'bench', role: 'worker', agents: ['codex'], mode: 'local-git', leaseMs: 600_000 };

const [what, file, row, inFlight] = process.argv.slice(2);
if (what === undefined) await compare();
else await takePart();

async function compare() {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      updates: await together('update', 1),
      one: await together('claim', 1),
      many: await together('claim', IN_FLIGHT),
    });
  const holds = [
    rate(`durable claims, ${PROCESSES} processes, ${IN_FLIGHT} at once each`, rounds, 'many', AT_LEAST),
    rate(`the same, one after the other`, rounds, 'one'),
  ];
  const [few, many] = await claimTimes(1000, 100_000);
  const growth = many / few;
  const figures = `100,000 in line: ${many.toFixed(2)} ms / 1,000 in line: ${few.toFixed(2)} ms`;
  print('one claim', figures, growth, `at most ${AT_MOST}x`, growth <= AT_MOST);
  process.exitCode = holds.every(Boolean) && growth <= AT_MOST ? 0 : 1;
}

/** The median of the rounds: what else the machine does in one of them hits both sides of it alike. */
function rate(name, rounds, side, promise) {
  const ratio = median(rounds.map((round) => round[side] / round.updates));
  const [ours, limit] = [side, 'updates'].map((each) =>
    Math.round(median(rounds.map((round) => round[each]))),
  );
  const holds = promise === undefined || ratio >= promise;
  const words = promise === undefined ? 'for comparison' : `at least ${promise}x`;
  print(name, `${ours} claims/s / ${limit} one-row updates/s`, ratio, words, holds);
  return holds;
}

/** How often per second all processes together do it, for a fixed span. */
async function together(how, atOnce) {
  const folder = mkdtempSync(join(tmpdir(), 'claim-bench-'));
  const database = join(folder, 'loopwright.db');
  fill(database, how === 'claim' ? 20_000 : PROCESSES);
  const script = fileURLToPath(import.meta.url);
  const parts = Array.from({ length: PROCESSES }, (_, i) =>
    fork(script, [how, database, String(i + 1), String(atOnce)]),
  );
  await Promise.all(parts.map((part) => once(part, 'message')));
  const counted = Promise.all(parts.map(async (part) => (await once(part, 'message'))[0]));
  for (const part of parts) part.send('go');
  const ended = Promise.all(parts.map((part) => once(part, 'exit')));
  const total = (await counted).reduce((sum, count) => sum + count, 0);
  await ended;
  rmSync(folder, { recursive: true });
  return (total / SPAN_MS) * 1000;
}

async function takePart() {
  const step = what === 'claim' ? claimer() : updater();
  await step();
  process.send('ready');
  await once(process, 'message');
  const end = performance.now() + SPAN_MS;
  let count = 0;
  const lane = async () => {
    while (performance.now() < end) {
      await step();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, lane));
  process.send(count);
  process.disconnect();
}

function claimer() {
  const { scheduler } = openStore(dirname(file), { lookEveryMs: 600_000 });
  return async () => {
    if (!(await scheduler.claim(request))) throw new Error('the line is empty');
  };
}

/** The least a durable transaction can be: one row, prepared statements, nothing of ours around it. */
function updater() {
  const connection = new Libsql(file);
  for (const setting of ['busy_timeout = 15000', 'synchronous = FULL']) connection.exec(`pragma ${setting}`);
  const [begin, update, commit] = [
    'begin immediate',
    'update task set updated_at = updated_at + 1 where seq = ?',
    'commit',
  ].map((text) => connection.prepare(text));
  return async () => {
    begin.run();
    update.run([Number(row)]);
    commit.run();
  };
}

/** What one claim takes in each of these backlogs; they take turns, so that a busy disk hits them alike. */
async function claimTimes(...sizes) {
  const backlogs = sizes.map((tasks) => {
    const folder = mkdtempSync(join(tmpdir(), 'claim-bench-'));
    fill(join(folder, 'loopwright.db'), tasks);
    const store = openStore(folder, { lookEveryMs: 600_000 });
    return { folder, store, spans: [] };
  });
  for (let round = 0; round < CLAIMS; round++) {
    for (const { store, spans } of backlogs) {
      const began = performance.now();
      await store.scheduler.claim(request);
      spans.push(performance.now() - began);
    }
  }
  return backlogs.map(({ folder, store, spans }) => {
    store.close();
    rmSync(folder, { recursive: true });
    return median(spans);
  });
}

/** Tasks that each may change a folder of their own. */
function fill(name, count) {
  openStore(dirname(name)).close();
  const connection = new Libsql(name);
  connection.exec('begin');
  const insert =
    connection.prepare(`insert into task (id, title, goal, kind, role, allowed_paths, scope, denied_paths,
      expected_files, commands, priority, lane, state, attempts, quota_hits, epoch, open_dependencies, events, rank,
      created_at, updated_at)
    values (?, ?, ?, 'code', 'worker', ?, ?, '[]', '[]', '["npm test"]', ?, '', 'queued', 0, 0, 0, 0, 0, ?, ?, ?)`);
  for (let i = 0; i < count; i++) {
    const priority = 100 + (i % 7);
    const path = `packages/p${i}/src/**`;
    const scope = { key: path, patterns: [{ pattern: path, prefix: path.slice(0, -2), wide: true }] };
    insert.run([
      `task-${i}`,
      `Task ${i}`,
      'Make it right. '.repeat(20),
      JSON.stringify([path]),
      JSON.stringify(scope),
      priority,
      i + priority * 900_000,
      i,
      i,
    ]);
  }
  connection.exec("insert into lane values ('worker', '')");
  connection.exec('commit');
  connection.close();
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function print(name, figures, ratio, promise, holds) {
  console.log(`${name.padEnd(46)}${figures} = ${ratio.toFixed(2)}x  ${promise} ${holds ? 'ok' : 'MISSED'}`);
}
