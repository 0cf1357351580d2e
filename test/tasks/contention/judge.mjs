/**
 * Reads what the rivals wrote down and names everything that must not be. `disturbed`: the processes that were
 * killed or stopped at some time; only from those may a task be taken while they work on it.
 */
export function judgeNotes(notes, disturbed) {
  const wrong = [];
  const working = new Map();
  const newest = new Map();
  let refused = 0;
  const lostBefore = new Set();
  for (const { what, task, epoch, pid, ending } of notes) {
    const at = `task ${task}, epoch ${epoch}, process ${pid}`;
    const now = working.get(task);
    const isZombie = epoch < (newest.get(task) ?? 0);
    if (isZombie && !disturbed.has(pid)) wrong.push(`${at} lost its lease though nobody touched it`);
    if (what === 'start' && !isZombie) {
      if (now && !disturbed.has(now.pid))
        wrong.push(`${at} began while epoch ${now.epoch} of process ${now.pid} worked on it`);
      if (now && now.epoch >= epoch) wrong.push(`${at} began, but epoch ${now.epoch} was there before`);
      working.set(task, { epoch, pid });
      newest.set(task, epoch);
    }
    if (what === 'stop' && isZombie) lostBefore.add(`${task} ${epoch}`);
    if (what === 'stop' && now?.epoch === epoch) working.delete(task);
    if (what === 'counted although it was lost') wrong.push(`${at}: ${what}`);
    // Given back, a task may have a new owner before the old one has written down that it counted.
    if (what === 'counted' && (lostBefore.has(`${task} ${epoch}`) || (isZombie && ending === 'done')))
      wrong.push(`${at} released it although it had lost it`);
    if (what === 'refused' || what === 'lost') {
      refused += 1;
      if (!disturbed.has(pid)) wrong.push(`${at} was refused though nobody touched it`);
    }
  }
  return { wrong, refused };
}

/** Looks at the rows: every task done exactly once, by one successful run, with every epoch in order. */
export async function judgeRows(backlog) {
  const wrong = [];
  for (const task of await backlog.list()) {
    const { runs, events, artifacts } = await backlog.history(task.id);
    const states = events.map(({ state }) => state);
    const [success, ...more] = runs.filter(({ state }) => state === 'success');
    if (task.state !== 'done') wrong.push(`task ${task.id} ended as ${task.state}`);
    if (states.filter((state) => state === 'done').length !== 1) wrong.push(`task ${task.id}: ${states}`);
    if (!success || more.length > 0)
      wrong.push(`task ${task.id} has ${success ? more.length + 1 : 0} successful runs`);
    if (runs.some(({ state }) => state === 'running'))
      wrong.push(`task ${task.id} has a run that never ended`);
    const products = artifacts.filter(({ runId }) => runId === success?.id).length;
    if (products !== 1) wrong.push(`the successful run of task ${task.id} has ${products} artifacts`);
    if (events.some(({ epoch }, i) => epoch < (events[i - 1]?.epoch ?? 0)))
      wrong.push(`task ${task.id} went back to an older epoch`);
  }
  return wrong;
}
