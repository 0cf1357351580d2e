import { expect } from 'vitest';
import { hold } from '../facts.ts';
import type { Lab } from '../lab.ts';
import { type Observed, totalOf } from '../observed.ts';
import type { Profile } from './profile.ts';

/** Headless, and the agent writes a file. */
export async function firstRun(lab: Lab): Promise<Observed> {
  return lab.run('FILE=first.txt CONTENT=one write it');
}

export function writesAFile(profile: Profile, run: Observed): void {
  if (!profile.onlyWords)
    hold(profile, 'session', () => {
      const ids = run.of('session').map((event) => event.id);
      expect(ids).toEqual([expect.stringMatching(/\w{8}/)]);
      expect(run.conversation?.id).toBe(ids[0]);
    });
  hold(profile, 'write', () => {
    expect(run.of('tool').map((event) => event.name)).toEqual(profile.onlyWords ? [] : [profile.tool]);
    expect(run.of('tool.ended').map((event) => event.ok)).toEqual(profile.onlyWords ? [] : [true]);
    expect(run.file('first.txt')).toBe('one\n');
  });
  hold(profile, 'result', () => {
    expect(run.of('error')).toEqual([]);
    expect(run.events.at(-1)).toEqual({ type: 'result', ok: true, text: 'DONE: wrote first.txt' });
    expect(run.end).toMatchObject({ kind: 'exited', code: 0 });
  });
  hold(profile, 'cancel', () => expect(run.survivors).toEqual([]));
}

export async function tellsItsUse(profile: Profile, lab: Lab): Promise<void> {
  const { name, called } = profile.model;
  const run = await lab.run('FILE=a.txt CONTENT=word write it', { settings: { model: name } });
  const used = totalOf(run.of('usage'));
  hold(profile, 'model', () => {
    const models = run.calls.filter((call) => call.tools.length > 0).map((call) => call.model);
    expect(models).toEqual([called, called]);
  });
  hold(profile, 'usage', () => expect(used.tokens).toEqual(lab.server.log.usage(run.id, profile.counts)));
  hold(profile, 'cost', () => {
    const cost = profile.cost(used.tokens);
    expect(used.estimated).toBe(cost.by === 'table');
    if (cost.by === 'none') expect(used.usd).toBeUndefined();
    else expect(used.usd).toBeGreaterThan(0);
    if (cost.usd !== undefined) expect(used.usd).toBeCloseTo(cost.usd, 9);
  });
}

/** Twice: after the first resume some CLIs count over the whole conversation. */
export async function continues(profile: Profile, lab: Lab, first: Observed): Promise<void> {
  let before = first;
  for (const name of ['second', 'third']) {
    const { conversation } = before;
    if (!conversation) throw new Error(`${profile.cli} told no conversation to continue.`);
    const prompt = `FILE=${name}.txt CONTENT=${name} write it`;
    const run = await lab.run(prompt, { home: first.home, settings: { resume: conversation } });
    hold(profile, 'resume', () => {
      expect(run.conversation?.id).toBe(first.conversation?.id);
      expect(run.file(`${name}.txt`)).toBe(`${name}\n`);
      const prompts = run.calls.at(-1)?.prompts.join('\n');
      expect(prompts).toContain('FILE=first.txt');
      expect(prompts).toContain(`FILE=${name}.txt`);
      expect(run.end).toMatchObject({ kind: 'exited', code: 0 });
    });
    hold(profile, 'resume-usage', () => {
      const [used, alone] = [totalOf(run.of('usage')), totalOf(first.of('usage'))];
      expect(used.tokens).toEqual(lab.server.log.usage(run.id, profile.counts));
      if (used.usd !== undefined && alone.usd !== undefined) expect(used.usd).toBeCloseTo(alone.usd, 4);
    });
    before = run;
  }
}
