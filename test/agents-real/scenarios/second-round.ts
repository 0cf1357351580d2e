import { expect } from 'vitest';
import type { Lab } from '../lab.ts';
import { type Observed, totalOf } from '../observed.ts';
import type { Profile } from './profile.ts';

const TASK = 'FILE=a.txt CONTENT=word write it';
const ODD = `-1 --dash 2 fixes: 'a' "b" \`c\` $HOME 007 1e3 0x10\n\nünïcödé 漢字 🚀\n${TASK} 42`;

/** Numbers, quotes, dashes, line feeds, Unicode, and 200 kB: the model gets every character. */
export async function takesAnyPrompt(profile: Profile, lab: Lab): Promise<void> {
  const words = (profile.longestPrompt ?? 200_000) / 4;
  for (const prompt of [ODD, `${ODD}\n${'x 1 '.repeat(words)}END 99`]) {
    const run = await lab.run(prompt);
    expect(run.calls.at(-1)?.prompts.some((said) => said.includes(prompt))).toBe(true);
    expect(run.events.at(-1)).toMatchObject({ type: 'result', ok: true });
    expect(run.file('a.txt')).toBe('word\n');
  }
}

/** It is told to come back in an hour: it has ended soon, and what is told is a quota. */
export async function doesNotSleepForHours(profile: Profile, lab: Lab): Promise<void> {
  const run = await lab.run(TASK, { scenario: '429-after-3600', ownWaitMs: 15_000 });
  const error = run.of('error').at(-1);
  expect(error?.kind).toBe(profile.toldToWait ?? 'quota');
  expect(run.end.kind).not.toBe('timed-out');
  expect(run.survivors).toEqual([]);
  if (profile.tellsTheWait) {
    expect((error?.resetAt ?? 0) - Date.now()).toBeGreaterThan(50 * 60_000);
  }
}

/** The same call again and again: we end it, or it does so itself, and no such run is a success. */
export async function isEndedInCircles(lab: Lab): Promise<void> {
  const run = await lab.run(`${TASK} TIMES=20`, { sameTool: 5 });
  expect(run.of('error').at(-1)).toMatchObject({ kind: 'loop' });
  expect(run.events.at(-1)).toMatchObject({ type: 'result', ok: false });
  expect(run.calls.length).toBeLessThan(15);
  expect(run.survivors).toEqual([]);
}

/** Counted against served where it is stopped after its first answer. */
export async function countsWhatAKilledRunUsed(profile: Profile, lab: Lab): Promise<void> {
  const run = await lab.start(TASK, { scenario: 'hang-after-1' });
  await run.modelCall(({ outcome }) => outcome === 'silence');
  await run.runner.stop();
  expectCounted(profile, lab, await run.finish());
}

/** The same where our own limit ends it. */
export async function countsWhatACutRunUsed(profile: Profile, lab: Lab): Promise<void> {
  const run = await lab.run(TASK, { scenario: 'hang-after-1', timeoutMs: profile.silenceMs });
  expect(run.end).toMatchObject({ kind: 'timed-out', limit: 'total' });
  expect(run.calls.map(({ outcome }) => outcome)).toContain('silence');
  expectCounted(profile, lab, run);
}

function expectCounted(profile: Profile, lab: Lab, seen: Observed): void {
  const used = totalOf(seen.of('usage')).tokens;
  if (profile.countsAtItsEnd) expect(used).toEqual({ input: 0, cached: 0, output: 0 });
  else expect(used).toEqual(lab.server.log.usage(seen.id, profile.counts));
}
