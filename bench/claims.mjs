// Durable claims per second with four processes, against one-row update transactions of the same database, and
// what a claim costs with 1,000 and with 100,000 tasks in line.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { Database } from '../dist/store/database.js';
import { LocalScheduler } from '../dist/tasks/scheduler/local.js';

const SPAN_MS = 3000;
const PROCESSES = 4;
const AT_LEAST = 0.6;
const AT_MOST = 1.3;
const ROUNDS = 300;
const request = { agentId: 'bench', role: 'worker', agents: ['codex'], mode: 'local-git', leaseMs: 600_000 };

const [what, file, row] = process.argv.slice(2);
if (what === undefined) await compare();
else await takePart();

async function compare() {
  const updates = [];
  const claims = [];
  for (let round = 0; round < 3; round++) {
    updates.push(await together('update'));
    claims.push(await together('claim'));
  }
  const [ours, limit] = [median(claims), median(updates)];
  const rate = ours / limit;
  print(
    `durable claims, ${PROCESSES} processes`,
    `${Math.round(ours)} claims/s / ${Math.round(limit)} one-row updates/s`,
    rate,
    `at least ${AT_LEAST}x`,
    rate >= AT_LEAST,
  );
  await claimTime(1000, 50);
  const few = await claimTime(1000);
  const many = await claimTime(100_000);
  const growth = many / few;
  print(
    'one claim',
    `100,000 in line: ${many.toFixed(2)} ms / 1,000 in line: ${few.toFixed(2)} ms`,
    growth,
    `at most ${AT_MOST}x`,
    growth <= AT_MOST,
  );
  process.exitCode = rate >= AT_LEAST && growth <= AT_MOST ? 0 : 1;
}

/** How often per second all processes together do it, for a fixed span. */
async function together(how) {
  const folder = mkdtempSync(join(tmpdir(), 'claim-bench-'));
  const database = join(folder, 'loopwright.db');
  fill(database, how === 'claim' ? 20_000 : PROCESSES);
  const script = fileURLToPath(import.meta.url);
  const parts = Array.from({ length: PROCESSES }, (_, i) => fork(script, [how, database, String(i + 1)]));
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
  while (performance.now() < end) {
    await step();
    count += 1;
  }
  process.send(count);
  process.disconnect();
}

function claimer() {
  const scheduler = new LocalScheduler(Database.open(file), { coolDownMs: 0, lookEveryMs: 600_000 });
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

async function claimTime(tasks, rounds = ROUNDS) {
  const folder = mkdtempSync(join(tmpdir(), 'claim-bench-'));
  const path = join(folder, 'loopwright.db');
  fill(path, tasks);
  const database = Database.open(path);
  const scheduler = new LocalScheduler(database, { coolDownMs: 0, lookEveryMs: 600_000 });
  const spans = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await scheduler.claim(request);
    spans.push(performance.now() - began);
  }
  database.close();
  rmSync(folder, { recursive: true });
  return median(spans);
}

/** Tasks of a hundred folders: some wait for another one of the same folder. */
function fill(path, count) {
  Database.open(path).close();
  const connection = new Libsql(path);
  connection.exec('begin');
  const insert =
    connection.prepare(`insert into task (id, title, goal, kind, role, allowed_paths, denied_paths,
      expected_files, commands, priority, lane, state, attempts, quota_hits, epoch, open_dependencies, events, rank,
      created_at, updated_at)
    values (?, ?, ?, 'code', 'worker', ?, '[]', '[]', '["npm test"]', ?, '', 'queued', 0, 0, 0, 0, 0, ?, ?, ?)`);
  for (let i = 0; i < count; i++) {
    const priority = 100 + (i % 7);
    const paths = JSON.stringify([`packages/p${i}/src/**`]);
    insert.run([
      `task-${i}`,
      `Task ${i}`,
      'Make it right. '.repeat(20),
      paths,
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
  console.log(`${name.padEnd(28)}${figures} = ${ratio.toFixed(2)}x  ${promise} ${holds ? 'ok' : 'MISSED'}`);
}
