import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LoopwrightError, UsageError } from '../../kernel/errors.ts';
import { openProject } from '../project.ts';
import { takes } from './table.ts';

type Call = (...passed: readonly unknown[]) => Promise<unknown>;

/** A project as a program in JavaScript sees it. */
function untyped(): { readonly [name: string]: Call } {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'arguments-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return openProject(dir) as unknown as { readonly [name: string]: Call };
}

function call(name: string, ...passed: readonly unknown[]): Promise<unknown> {
  const useCase = untyped()[name];
  if (!useCase) throw new Error(`there is no ${name}`);
  return useCase(...passed);
}

describe('a call that no compiler has checked', () => {
  it.each([
    ['run', [5], '"goal" must be a text'],
    ['run', [undefined], '"goal" is missing'],
    ['run', [['a']], '"goal" must be a text'],
    ['run', ['x', null], '"options" must be an object'],
    ['run', ['x', { agnet: 'claude' }], '"agnet" is not known. Did you mean "agent"?'],
    ['run', ['x', { budget: { stps: 1 } }], '"budget.stps" is not known. Did you mean "steps"?'],
    ['run', ['x', { budget: { steps: 'x' } }], '"budget.steps" must be a whole number that is not negative'],
    ['run', ['x', { budget: { usd: -1 } }], '"budget.usd" must be a number that is not negative'],
    ['run', ['x', { plan: 'src/**' }], '"plan" must be a list of texts'],
    ['run', ['x', { cancel: 5 }], '"cancel" must be an AbortSignal'],
    ['run', ['x', { workflow: 5 }], '"workflow" must be a text or a workflow'],
    ['session', [5], '"session" must be a text'],
    ['session', [null], '"session" must be a text'],
    ['fork', ['01M7'], '"options" is missing'],
    ['unhold', [], '"session" is missing'],
    ['addTask', ['x', { alowedPaths: ['a'] }], '"alowedPaths" is not known. Did you mean "allowedPaths"?'],
    ['cancelTask', [], '"task" is missing'],
    ['clean', [{ olderThan: '7d' }], '"olderThan" is not known. Did you mean "olderThanMs"?'],
    ['tasks', [null], '"filter" must be an object'],
    ['research', [], '"request" is missing'],
  ])('%s(%j) is refused and says why', async (name, passed, why) => {
    const error = await call(name, ...passed).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toContain(`${name} cannot be called like this: ${why}`);
    expect((error as UsageError).next).toBeDefined();
  });

  it.each([
    ['run', ['  '], 'There is no goal.'],
    ['importTasks', [{}], 'There is nothing to import from.'],
    ['research', [{}], 'There is no question.'],
    ['graph', ['test-fix', { start: 'Nope' }], 'The manifest has no node "Nope".'],
    ['run', ['x', { start: 'Nope', agent: 'scripted' }], 'The manifest has no node "Nope".'],
  ])('%s(%j) has the right shape, and is refused before anything is made', async (name, passed, why) => {
    const error = await call(name, ...passed).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toContain(why);
  });

  it('never ends in a TypeError, whatever is passed in whatever place', async () => {
    const project = untyped();
    for (const [name, known] of Object.entries(takes)) {
      for (const junk of [5, null, ['a'], true, { nonsense: 1 }]) {
        for (const place of known.keys()) {
          const passed = known.map((_, index) => (index === place ? junk : undefined));
          const error = await project[name]?.(...passed).catch((reason: unknown) => reason);
          if (error instanceof Error) expect(error, `${name}, ${place}`).toBeInstanceOf(LoopwrightError);
        }
      }
    }
  });

  it('openProject refuses a folder that is no text', () => {
    expect(() => openProject(5 as unknown as string)).toThrow('"dir" must be a text');
  });
});
