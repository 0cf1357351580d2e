import { describe, expect, it } from 'vitest';
import { compileManifest } from '../manifest/compile.ts';
import { executeAction } from './engine/actions.ts';
import { Orchestrator } from './orchestrator.ts';
import { block, emitting, pathOf } from './testing.ts';

const on = (table: Record<string, string>) =>
  Object.entries(table).map(([signal, action]) => ({ on_signal: `SIGNAL:${signal}`, action }));

/** Top calls Look, which comes back with what `last` says. */
const calling = (last: Record<string, string>, returns?: Record<string, string>) => ({
  Top: {
    entry_block: 'Ask',
    blocks: {
      Ask: block('W', { SUCCESS: 'CALL:Look' }, returns ? { returns: on(returns) } : {}),
      Next: block('W'),
      Found: block('W'),
    },
  },
  Look: { entry_block: 'See', blocks: { See: block('Eye', last) } },
});

const run = async (manifest: ReturnType<typeof calling>, sees: string) => {
  const workers = { W: emitting('SUCCESS'), Eye: emitting(sees) };
  return new Orchestrator(manifest, { workers }).execute('Top');
};

describe('a returned signal', () => {
  it('RETURN:SIGNAL:X tells the caller X, and its "returns" decide where that leads', async () => {
    const end = await run(calling({ SUCCESS: 'RETURN:SIGNAL:FOUND' }, { FOUND: 'JUMP:Found' }), 'SUCCESS');
    expect(pathOf(end.trail)).toEqual(['Top__Ask', 'Look__See', 'Top__Found']);
    expect(end.trail[1]?.action).toBe('RETURN:SIGNAL:FOUND, then JUMP:Found of Top__Ask');
    expect(end.returnStack).toEqual([]);
  });

  it('a plain RETURN tells the signal of the last block', async () => {
    const manifest = calling({ SUCCESS: 'RETURN', FAILURE: 'RETURN' }, { FAILURE: 'JUMP:Found' });
    expect(pathOf((await run(manifest, 'FAILURE')).trail).at(-1)).toBe('Top__Found');
    expect(pathOf((await run(manifest, 'SUCCESS')).trail).at(-1)).toBe('Top__Next');
  });

  it('a signal that is not listed goes on where the CALL says; FAIL_DEFAULT takes every other', async () => {
    const listed = calling({ SUCCESS: 'RETURN:SIGNAL:ODD' }, { FOUND: 'JUMP:Found' });
    expect(pathOf((await run(listed, 'SUCCESS')).trail).at(-1)).toBe('Top__Next');
    const any = calling({ SUCCESS: 'RETURN:SIGNAL:ODD' }, { FAIL_DEFAULT: 'JUMP:Found' });
    expect(pathOf((await run(any, 'SUCCESS')).trail).at(-1)).toBe('Top__Found');
  });

  it('is handed on through a call in tail position, and by a caller that returns in its turn', async () => {
    const { Look, Top } = calling({ SUCCESS: 'RETURN:SIGNAL:FOUND' }, { FOUND: 'JUMP:Found' });
    const between = (more: object) => ({
      Top,
      Look: { entry_block: 'Go', blocks: { Go: block('W', { SUCCESS: 'CALL:Deep' }, more) } },
      Deep: Look,
    });
    for (const more of [{}, { returns: on({ FOUND: 'RETURN:SIGNAL:FOUND' }) }]) {
      const workers = { W: emitting('SUCCESS'), Eye: emitting('SUCCESS') };
      const end = await new Orchestrator(between(more), { workers }).execute('Top');
      expect(pathOf(end.trail).at(-1)).toBe('Top__Found');
    }
  });

  it('that asks for a person halts, a resume goes on where the CALL says, a retry runs the block again', async () => {
    const manifest = calling({ FAIL_DEFAULT: 'RETURN' }, { BAD: 'HALT_AND_FLAG' });
    const workers = { W: emitting('SUCCESS'), Eye: emitting('BAD', 'GOOD') };
    const halted = new Orchestrator(manifest, { workers });
    const end = await halted.execute('Top');
    expect(end.halt).toMatchObject({ reason: 'flag', message: expect.stringContaining('Top__Ask asked') });
    const again = await halted.retry();
    expect(pathOf(again.trail)).toEqual(['Top__Ask', 'Look__See', 'Look__See', 'Top__Next']);
    const other = new Orchestrator(manifest, { workers: { ...workers, Eye: emitting('BAD') } });
    await other.execute('Top');
    expect(pathOf((await other.resume()).trail)).toEqual(['Top__Ask', 'Look__See', 'Top__Next']);
  });

  it('executeAction is pure and asks nobody where no block listens', () => {
    expect(
      executeAction({ action: 'RETURN:SIGNAL:X', returnStack: ['A__b', 'C__d'], onReturn: () => undefined }),
    ).toEqual({ nextBlockId: 'C__d', returnStack: ['A__b'] });
  });
});

describe('validation of returned signals', () => {
  const messages = (manifest: unknown) => compileManifest(manifest).problems.map(({ message }) => message);

  it('warns of a signal that the caller does not know, of one that never comes, and of returns without a call', () => {
    expect(messages(calling({ SUCCESS: 'RETURN:SIGNAL:ODD' }, { FOUND: 'JUMP:Found' }))).toEqual([
      expect.stringContaining('is returned SIGNAL:ODD, which its "returns" do not list'),
      expect.stringContaining('list SIGNAL:FOUND, which no RETURN of what it calls gives'),
    ]);
    expect(messages(calling({ SUCCESS: 'RETURN:SIGNAL:ODD' }))).toContainEqual(
      expect.stringContaining('is returned SIGNAL:ODD'),
    );
    const alone = {
      A: { entry_block: 'B', blocks: { B: block('W', {}, { returns: on({ X: 'RETURN' }) }) } },
    };
    expect(messages(alone)).toContainEqual(expect.stringContaining('calls no node'));
    const silent = calling({ SUCCESS: 'RETURN', FAILURE: 'RETURN' }, { FAILURE: 'JUMP:Found' });
    expect(messages(silent)).toEqual([]);
  });

  it.each(['RETURN:X', 'RETURN:SIGNAL', 'RETURN:SIGNAL:', 'RETURN:SIGNAL:A:B', 'RETURN:signal:A'])(
    'refuses %s',
    (action) => {
      const { manifest, problems } = compileManifest(calling({ SUCCESS: action }));
      expect(manifest).toBeUndefined();
      expect(problems[0]?.message).toContain('RETURN:SIGNAL:<SIGNAL>');
    },
  );
});
