import { expect } from 'vitest';
import { hold } from '../facts.ts';
import type { Lab, LabRun } from '../lab.ts';
import type { Observed } from '../observed.ts';
import type { Profile } from './profile.ts';

/** Interactive, on a terminal of its own: it asks before it writes, and a person says yes. */
export async function takesAYes(profile: Profile, lab: Lab): Promise<void> {
  const run = await untilItAsks(profile, lab);
  run.runner.answer(profile.terminal.yes);
  // The tool has run when the model is asked for what comes next.
  const last = await run.modelCall((call) => call.tools.length > 0 && call.tool === undefined);
  await run.runner.stop();
  const seen = await run.finish();
  hold(profile, 'yes', () => {
    expect(last?.outcome).toBe('answer');
    expect(seen.file('a.txt')).toBe('word\n');
    expect(seen.end).toMatchObject({ kind: 'stopped' });
    expect(seen.survivors).toEqual([]);
  });
}

export async function takesANo(profile: Profile, lab: Lab): Promise<void> {
  const { question, no } = profile.terminal;
  const run = await untilItAsks(profile, lab);
  run.runner.answer(no);
  const gone = await run.observer.shows((screen) => !question.test(screen));
  await run.runner.stop();
  const seen = await run.finish();
  hold(profile, 'no', () => {
    expect(gone).toBe(true);
    expect(seen.file('a.txt')).toBeUndefined();
    expect(seen.survivors).toEqual([]);
  });
}

/** What was begun headless continues where a person can watch it. */
export async function continuesOnItsTerminal(profile: Profile, lab: Lab, first: Observed): Promise<void> {
  const { conversation, home } = first;
  if (!conversation) throw new Error(`${profile.cli} told no conversation to continue.`);
  const wish = { mode: 'interactive', home, settings: { resume: conversation } } as const;
  const start = async (): Promise<LabRun> => lab.start('FILE=later.txt CONTENT=word write it', wish);
  if (!profile.continuesOnItsTerminal) {
    await expect(start()).rejects.toThrow('cannot continue a conversation');
    return;
  }
  const run = await start();
  // A call without tools, which chooses a model or a title, has only the end of the conversation.
  const call = await run.modelCall(
    ({ prompts, tools }) => tools.length > 0 && prompts.join('\n').includes('FILE=later.txt'),
  );
  await run.runner.stop();
  const { survivors } = await run.finish();
  hold(profile, 'resume-terminal', () => {
    expect(call?.prompts.join('\n')).toContain('FILE=first.txt');
    expect(survivors).toEqual([]);
  });
}

async function untilItAsks(profile: Profile, lab: Lab): Promise<LabRun> {
  const { prompt, settings, question } = profile.terminal;
  const run = await lab.start(prompt, { mode: 'interactive', settings });
  const asked = await run.observer.next('interaction');
  const screen = await run.runner.screen();
  hold(profile, 'question', () => {
    expect(run.runner.kind).toBe('pty');
    expect(asked?.source, screen).toBe('screen');
    expect(asked?.question).toMatch(question);
    expect(asked?.choices.length, screen).toBeGreaterThan(1);
  });
  return run;
}
