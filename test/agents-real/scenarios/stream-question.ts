import { expect } from 'vitest';
import { hold } from '../facts.ts';
import type { Lab } from '../lab.ts';
import type { Observed } from '../observed.ts';
import type { Profile } from './profile.ts';

/** Headless, and yet a person is asked: on the channel that the agent's words come from. */
export async function asksOnItsStream(profile: Profile, lab: Lab): Promise<void> {
  const allowed = await answered(lab, 'yes');
  const refused = await answered(lab, 'no');
  hold(profile, 'stream-question', () => {
    expect(allowed.interactions.map((asked) => asked.source)).toEqual(['stream']);
    expect(allowed.file('a.txt')).toBe('word\n');
    expect(allowed.end).toMatchObject({ kind: 'exited', code: 0 });
    expect(allowed.events.at(-1)).toMatchObject({ type: 'result', ok: true });
    expect(allowed.survivors).toEqual([]);
    expect(refused.of('denied').map((event) => event.tool)).toEqual([profile.tool]);
    expect(refused.file('a.txt')).toBeUndefined();
    expect(refused.end).toMatchObject({ kind: 'exited', code: 0 });
    expect(refused.events.at(-1)).toMatchObject({ type: 'result', ok: false });
    expect(refused.survivors).toEqual([]);
  });
}

async function answered(lab: Lab, answer: string): Promise<Observed> {
  const run = await lab.start('FILE=a.txt CONTENT=word write it', { settings: { permissions: 'ask' } });
  const asked = await run.observer.next('interaction');
  if (asked) run.runner.answer(answer);
  return run.finish();
}
