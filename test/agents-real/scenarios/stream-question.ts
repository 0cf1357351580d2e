import { expect } from 'vitest';
import type { Permissions } from '../../../src/agents/adapter.ts';
import { hold } from '../facts.ts';
import type { Lab, RunWish } from '../lab.ts';
import { type Observed, totalOf } from '../observed.ts';
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

/** A conversation that was begun in a dialogue continues in a plain run, and from there in a dialogue again. */
export async function continuesAcross(profile: Profile, lab: Lab): Promise<void> {
  const asked = await answered(lab, 'yes');
  const plain = await lab.run('FILE=b.txt CONTENT=plain write it', continuing(asked, 'edits'));
  expectContinued(profile, plain, asked, 'b.txt');
  if (!profile.continuesInADialogue) return;
  const again = await answered(lab, 'yes', 'FILE=c.txt CONTENT=again write it', continuing(plain, 'ask'));
  expectContinued(profile, again, asked, 'c.txt');
}

function expectContinued(profile: Profile, run: Observed, first: Observed, file: string): void {
  hold(profile, 'resume-across', () => {
    expect(run.conversation?.id).toBe(first.conversation?.id);
    expect(run.file(file)).toBeDefined();
    expect(run.calls.at(-1)?.prompts.join('\n')).toContain('FILE=a.txt');
    expect(run.events.at(-1)).toMatchObject({ type: 'result', ok: true });
    const [alone, used] = [totalOf(first.of('usage')), totalOf(run.of('usage'))];
    if (alone.usd !== undefined && used.usd !== undefined) expect(used.usd).toBeCloseTo(alone.usd, 4);
  });
}

function continuing(run: Observed, permissions: Permissions): RunWish {
  if (!run.conversation) throw new Error('It told no conversation to continue.');
  return { home: run.home, settings: { permissions, resume: run.conversation } };
}

async function answered(
  lab: Lab,
  answer: string,
  prompt = 'FILE=a.txt CONTENT=word write it',
  wish: RunWish = { settings: { permissions: 'ask' } },
): Promise<Observed> {
  const run = await lab.start(prompt, wish);
  const asked = await run.observer.next('interaction');
  if (asked) run.runner.answer(answer);
  return run.finish();
}
