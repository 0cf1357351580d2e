// One of several processes that work the same backlog off. Writes down when it begins and stops working on a
// task, so that somebody else can judge whether two ever did at the same time.
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../../dist/store/open.js';
import { dice } from './dice.mjs';

const [folder, log, seed] = process.argv.slice(2);
const roll = dice(Number(seed));
const store = openStore(folder, { lookEveryMs: 20 });
const { backlog, scheduler } = store;
const request = {
  agentId: `rival-${process.pid}`,
  role: 'worker',
  agents: ['codex'],
  mode: 'local-git',
  leaseMs: 600_000,
};

while (await isOpen()) {
  const places = 1 + Math.floor(roll() * 3);
  const asked = await Promise.all(Array.from({ length: places }, () => scheduler.claim(request)));
  const claims = asked.filter((claim) => claim !== undefined);
  await Promise.all(claims.map(workOn));
  if (claims.length === 0) await pause(5);
}
store.close();

/** One that has lost its task continues as if it did not know: nothing of what it tries may count. */
async function workOn(claim) {
  note('start', claim);
  // As a step that was finished: no task here is to blame for the deaths of its owners.
  await scheduler.advance(claim);
  // Whoever took a task over takes its time, so that the former owner wakes up in the middle of it.
  for (let beat = claim.takenFrom ? 12 : Math.floor(roll() * 3); beat > 0; beat--) {
    if (!(await scheduler.renew(claim))) note('lost', claim);
    await pause(roll() * 3);
  }
  const extended = await scheduler.extend(claim, [`own/${claim.task.id}.ts`]);
  note('stop', claim);
  const ending = endingFor(roll());
  const counted = await scheduler.release(claim, ending);
  note(counted ? 'counted' : 'refused', claim, ending.state);
  if (counted && extended === undefined) note('counted although it was lost', claim);
}

function endingFor(chance) {
  if (chance < 0.05) return { state: 'queued', reason: 'given back' };
  if (chance < 0.1) return { state: 'failed', reason: 'bad luck', failureCode: 'x', failureClass: 'flaky' };
  const artifacts = [{ type: 'report', ref: 'r' }];
  return { state: 'done', reason: 'proven', artifacts, outcome: { by: process.pid } };
}

async function isOpen() {
  return (await backlog.list({ states: ['queued', 'running', 'failed'], limit: 1 })).length > 0;
}

/** One line, appended at once: the order of the lines is the order of what happened. */
function note(what, { task, epoch }, ending) {
  appendFileSync(log, `${JSON.stringify({ what, task: task.id, epoch, pid: process.pid, ending })}\n`);
}
