import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { expect } from 'vitest';
import { hold } from '../facts.ts';
import type { Lab } from '../lab.ts';
import type { Observed } from '../observed.ts';
import type { Profile, Refused, Reset } from './profile.ts';

const TASK = 'FILE=a.txt CONTENT=word write it';

/** A file outside its folder, and not in /tmp either: there sandboxes let it write. */
export async function isDenied(profile: Profile, lab: Lab): Promise<void> {
  // A sandbox may tell otherwise of a command that it let run for a while.
  for (const how of profile.tool === 'shell' ? ['', '[slow] '] : ['']) {
    const outside = `/var/tmp/loopwright-${randomUUID()}.txt`;
    const run = await lab.run(`${how}FILE=${outside} CONTENT=word write it`);
    const written = existsSync(outside);
    rmSync(outside, { force: true });
    hold(profile, 'denied', () => {
      expect(run.calls.some((call) => call.tool !== undefined)).toBe(true);
      expect(written).toBe(false);
      expect(run.of('denied').map((event) => event.tool)).toEqual([profile.deniedTool]);
      expect(run.end).toMatchObject({ kind: 'exited', code: 0 });
      expect(run.events.at(-1)).toMatchObject({ type: 'result', ok: false });
    });
  }
}

export async function onlyReads(profile: Profile, lab: Lab): Promise<void> {
  for (const task of [TASK, `[shell] ${TASK}`]) {
    const run = await lab.run(task, { settings: { permissions: 'read' } });
    hold(profile, 'read', () => {
      expect(run.file('a.txt')).toBeUndefined();
      expect(run.calls.map((call) => call.outcome)).toContain('answer');
      expect(run.end).toMatchObject({ kind: 'exited', code: 0 });
    });
  }
}

export async function recovers(profile: Profile, lab: Lab): Promise<void> {
  const { scenario, told } = profile.recovery;
  const run = await lab.run(TASK, { scenario });
  hold(profile, 'recovery', () => {
    const asked = run.calls.filter((call) => call.tools.length > 0).map((call) => call.outcome);
    expect(asked).toEqual([429, 'answer', 'answer']);
    expect(run.of('retrying').length > 0).toBe(told);
    expect(run.of('error')).toEqual([]);
    expect(run.events.at(-1)).toMatchObject({ type: 'result', ok: true });
    expect(run.file('a.txt')).toBe('word\n');
  });
}

export async function meetsQuota(profile: Profile, lab: Lab): Promise<void> {
  const run = await refused(lab, profile.quota);
  hold(profile, 'quota', () => expectQuota(run, profile.quota.reset));
}

export async function meetsQuotaWithReset(profile: Profile, lab: Lab): Promise<void> {
  const run = await refused(lab, profile.quotaWithReset);
  hold(profile, 'quota-reset', () => expectQuota(run, profile.quotaWithReset.reset));
}

function expectQuota(run: Observed, reset: Reset): void {
  const failure = failureOf(run);
  expect(failure).toMatchObject({ kind: 'quota' });
  const resetAt = failure?.resetAt ?? Number.NaN;
  if (reset === 'unknown') expect(failure?.resetAt).toBeUndefined();
  else if (reset === 'midnight in California') {
    const clock = { timeZone: 'America/Los_Angeles', hour: '2-digit', minute: '2-digit' } as const;
    expect(new Date(resetAt).toLocaleTimeString('en-GB', clock)).toBe('00:00');
    expect(resetAt).toBeGreaterThan(Date.now());
  } else {
    const told = run.calls.at(-1)?.resetAt ?? Number.NaN;
    expect(Math.abs(resetAt - told)).toBeLessThanOrEqual(reset.withinMs);
  }
}

export async function isNotLoggedIn(profile: Profile, lab: Lab): Promise<void> {
  const run = await refused(lab, { scenario: '401', reset: 'unknown' });
  hold(profile, 'auth', () => expect(failureOf(run)).toMatchObject({ kind: 'auth' }));
}

async function refused(lab: Lab, { scenario, account }: Refused): Promise<Observed> {
  const run = await lab.run(TASK, { scenario, ...(account ? { account } : {}) });
  expect(run.events.at(-1)).toMatchObject({ type: 'result', ok: false });
  expect(run.file('a.txt')).toBeUndefined();
  expect(run.survivors).toEqual([]);
  return run;
}

/** The last one counts: a CLI may have tried again after an earlier one. */
function failureOf(run: Observed) {
  return run.of('error').at(-1);
}
