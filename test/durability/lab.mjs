// Kills the victim at a point, resumes what is left, and judges the result from outside the engine.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Orchestrator, SessionManager } from '../../dist/index.js';
import { BLOCKS, manifest, SESSION, workers } from './workload.mjs';

const VICTIM = fileURLToPath(new URL('../../.cache/victims/durability-victim.mjs', import.meta.url));

export function victim(folder, how, point, stdio = ['ignore', 'pipe', 'pipe']) {
  return spawn(process.execPath, [VICTIM, folder, how, JSON.stringify(point)], { stdio });
}

/** Runs the victim to its end and tells how it ended. */
export function outcomeOf(child) {
  return new Promise((resolve) => {
    let text = '';
    let errors = '';
    child.stdout?.on('data', (data) => (text += data));
    child.stderr?.on('data', (data) => (errors += data));
    child.on('close', (code, signal) => resolve({ code, signal, text, errors }));
  });
}

/** What a run that nobody disturbs does to the disk, in order. */
export async function operationsOfARun() {
  const folder = tempFolder();
  const { text, errors } = await outcomeOf(victim(folder, 'start', {}));
  rmSync(folder, { recursive: true });
  if (!text) throw new Error(`the undisturbed run failed: ${errors}`);
  return JSON.parse(text).operations;
}

/** Kills at each given point in turn (a list: first the start, then the resumes), then resumes and judges. */
export async function killAndResume(points) {
  const folder = tempFolder();
  try {
    let kills = 0;
    for (const [i, point] of points.entries()) {
      const how = i > 0 && hasSession(folder) ? 'resume' : 'start';
      if (how === 'start') rmSync(join(folder, 'sessions'), { recursive: true, force: true });
      const { signal, errors } = await outcomeOf(victim(folder, how, point));
      if (signal === 'SIGKILL') kills += 1;
      else if (errors) throw new Error(`the victim broke at ${JSON.stringify(point)}: ${errors}`);
    }
    return { kills, ...(await resumeAndJudge(folder)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function resumeAndJudge(folder) {
  const finished = finishedBlocks(folder);
  const before = startsPerBlock(folder);
  const end = await continueHere(folder);
  const starts = startsPerBlock(folder);
  const notes = end.payload.filter((segment) => segment.type === 'NOTE').map((segment) => segment.content);
  const expected = Object.keys(manifest.Main.blocks).map((name) => `Main__${name}`);
  return {
    completed: end.status === 'completed' && end.trail.length === BLOCKS,
    /** Finished before the kill, but not part of the resumed session. */
    lost: finished.filter((block) => !end.trail.some((entry) => entry.block === block)).length,
    /** Finished before the kill, and yet run again. */
    repeated: finished.filter((block) => starts[block] !== before[block]).length,
    inOrder: JSON.stringify(notes) === JSON.stringify(expected),
  };
}

async function continueHere(folder) {
  const sessions = SessionManager.onDisk(join(folder, 'sessions'), { ids: () => SESSION });
  const services = { sessions, workers: workers(folder) };
  if (!hasSession(folder)) {
    rmSync(join(folder, 'sessions'), { recursive: true, force: true });
    return new Orchestrator(manifest, services).execute('Main', { goal: 'survive' });
  }
  const { state } = sessions.load(SESSION);
  if (state.status === 'completed') {
    return { status: 'completed', trail: state.trail.toArray(), payload: state.history.segments() };
  }
  return Orchestrator.open(SESSION, services).resume();
}

/** Blocks with a whole journal line, read with nothing but JSON.parse. */
function finishedBlocks(folder) {
  return journals(folder).flatMap((text) => {
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    return whole.split('\n').flatMap((line) => (line.includes('"t":"step"') ? [JSON.parse(line).block] : []));
  });
}

function hasSession(folder) {
  return journals(folder).some((text) => text.slice(0, text.lastIndexOf('\n') + 1).includes('"t":"created"'));
}

function journals(folder) {
  const session = join(folder, 'sessions', SESSION);
  if (!existsSync(session)) return [];
  const files = readdirSync(session).filter((name) => name.startsWith('journal.'));
  return files.map((name) => readFileSync(join(session, name), 'utf8'));
}

function startsPerBlock(folder) {
  const trace = join(folder, 'trace');
  const counts = {};
  if (!existsSync(trace)) return counts;
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    const [word, block] = line.split(' ');
    if (word === 'started') counts[block] = (counts[block] ?? 0) + 1;
  }
  return counts;
}

export function tempFolder() {
  return mkdtempSync(join(tmpdir(), 'lw-faults-'));
}

/** Runs jobs a few at a time and adds up their results. */
export function tally(jobs, width = 3) {
  return addUp(jobs, killAndResume, width);
}

/** Resumes from what a kill at every write would have left: the pictures that one run took of its disk. */
export async function tallyImages() {
  const [folder, images] = [tempFolder(), tempFolder()];
  try {
    const { text, errors } = await outcomeOf(victim(folder, 'start', { images }));
    if (!text) throw new Error(`the run that takes pictures failed: ${errors}`);
    const pictures = readdirSync(images).map((name) => join(images, name));
    const resumed = async (picture) => ({ kills: 1, ...(await resumeAndJudge(picture)) });
    return await addUp(pictures, resumed, 1);
  } finally {
    for (const each of [folder, images]) rmSync(each, { recursive: true });
  }
}

async function addUp(jobs, run, width) {
  const sum = { kills: 0, runs: 0, lost: 0, repeated: 0, notCompleted: 0, outOfOrder: 0 };
  const queue = [...jobs];
  const lane = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      const result = await run(job);
      sum.runs += 1;
      sum.kills += result.kills;
      sum.lost += result.lost;
      sum.repeated += result.repeated;
      sum.notCompleted += result.completed ? 0 : 1;
      sum.outOfOrder += result.inOrder ? 0 : 1;
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return sum;
}

/** A kill before every operation that changes the disk, and one in the middle of every write. */
export function everyWrite(operations) {
  return operations.flatMap((name, i) => {
    if (name === 'openSync' || name === 'closeSync') return [];
    const before = [{ op: i + 1, when: 'before' }];
    return name === 'writeSync' ? [before, [{ op: i + 1, when: 'half' }]] : [before];
  });
}

/** A kill inside every worker, before and after it did its work. */
export function everyWorker() {
  return Array.from({ length: BLOCKS }, (_, i) => i + 1).flatMap((block) => [
    [{ block, when: 'started' }],
    [{ block, when: 'ended' }],
  ]);
}
