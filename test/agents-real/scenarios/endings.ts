import { expect } from 'vitest';
import { hold } from '../facts.ts';
import type { Lab } from '../lab.ts';
import type { Profile } from './profile.ts';

const TASK = 'FILE=a.txt CONTENT=word write it';

export async function isEndedByOurLimit(profile: Profile, lab: Lab): Promise<void> {
  const { silenceMs } = profile;
  const run = await lab.run(TASK, { scenario: 'hang', timeoutMs: silenceMs });
  hold(profile, 'silence', () => {
    expect(run.calls.map((call) => call.outcome)).toContain('silence');
    expect(run.end).toMatchObject({ kind: 'timed-out', limit: 'total' });
    expect(run.end.durationMs).toBeGreaterThanOrEqual(silenceMs);
    expect(run.survivors).toEqual([]);
  });
}

export async function isCancelled(profile: Profile, lab: Lab): Promise<void> {
  const run = await lab.start(TASK, { scenario: 'hang' });
  await run.modelCall(() => true);
  await run.runner.stop();
  const seen = await run.finish();
  hold(profile, 'cancel', () => {
    expect(seen.end).toMatchObject({ kind: 'stopped' });
    expect(seen.survivors).toEqual([]);
  });
}
