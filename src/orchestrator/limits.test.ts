import { describe, expect, it, vi } from 'vitest';
import { compileManifest } from '../manifest/compile.ts';
import type { BlockDefinition, ManifestBody } from '../manifest/definition.ts';
import type { WorkerFunction } from '../manifest/worker.ts';
import { sameFailureLimit } from './engine/limits.ts';
import { Orchestrator } from './orchestrator.ts';
import { answer, block, chain, emitting, pathOf, recording } from './testing.ts';

const loop = (more: Partial<BlockDefinition> = {}, body: Partial<ManifestBody> = {}, transitions = {}) => ({
  nodes: {
    N: {
      entry_block: 'A',
      blocks: {
        A: block('W', { AGAIN: 'JUMP:A', SUCCESS: 'RETURN', ...transitions }, more),
        Out: block('End'),
      },
    },
  },
  ...body,
});

describe('limits', () => {
  it('ENG-32 a budget of 10 steps allows exactly 10, then halts with the reason', async () => {
    const { worker, contexts } = recording(emitting('AGAIN'));
    const orchestrator = new Orchestrator(loop({}, { budget: { steps: 10 } }), {
      workers: { W: worker, End: worker },
    });
    const end = await orchestrator.execute('N');
    expect(contexts).toHaveLength(10);
    expect(end).toMatchObject({
      status: 'halted',
      halt: { reason: 'budget', message: expect.stringContaining('10 steps') },
    });
    const more = await orchestrator.resume({ budget: { steps: 12 } });
    expect(more.used.steps).toBe(12);
  });

  it('ENG-32 without a budget a session halts after 1,000 steps', async () => {
    const orchestrator = new Orchestrator(loop(), {
      workers: { W: emitting('AGAIN'), End: emitting('SUCCESS') },
    });
    await expect(orchestrator.execute('N')).resolves.toMatchObject({
      status: 'halted',
      used: { steps: 1000 },
    });
  });

  it('TFX-12 a visit limit halts before the next run, and retry grants one more', async () => {
    const workers = { W: emitting('AGAIN'), End: emitting('SUCCESS') };
    const orchestrator = new Orchestrator(loop({ limits: { visits: 3 } }), { workers });
    const end = await orchestrator.execute('N');
    expect(end).toMatchObject({
      status: 'halted',
      halt: { reason: 'limit', block: 'N__A' },
      used: { steps: 3 },
    });
    await expect(orchestrator.retry()).resolves.toMatchObject({ status: 'halted', used: { steps: 4 } });
    await expect(orchestrator.resume('go on')).resolves.toMatchObject({
      status: 'halted',
      used: { steps: 5 },
    });
  });

  it('a limit takes its own transition when the block declares one; 0 visits means never', async () => {
    const workers = { W: emitting('AGAIN'), End: emitting('SUCCESS') };
    const manifest = loop({ limits: { visits: 0 } }, {}, { LIMIT_REACHED: 'JUMP:Out' });
    const end = await new Orchestrator(manifest, { workers }).execute('N');
    expect(end.trail.map(({ block, ran, signal }) => [block, ran, signal])).toEqual([
      ['N__A', false, 'SIGNAL:LIMIT_REACHED'],
      ['N__Out', true, 'SIGNAL:SUCCESS'],
    ]);
  });

  it('a limit never ends as completed, even when its transition leads to the end or to itself', async () => {
    const workers = { W: emitting('AGAIN'), End: emitting('SUCCESS') };
    for (const action of ['RETURN', 'JUMP:A']) {
      const manifest = loop({ limits: { visits: 2 } }, {}, { LIMIT_REACHED: action });
      const end = await new Orchestrator(manifest, { workers }).execute('N');
      expect(end).toMatchObject({ status: 'halted', halt: { reason: 'limit' }, used: { steps: 2 } });
    }
  });

  it('visits are counted per call frame', async () => {
    const manifest = {
      Top: {
        entry_block: 'One',
        blocks: {
          One: block('W', { SUCCESS: 'CALL:Sub' }),
          Two: block('W', { SUCCESS: 'CALL:Sub' }),
          Three: block('W'),
        },
      },
      Sub: { entry_block: 'S', blocks: { S: block('W', { SUCCESS: 'RETURN' }, { limits: { visits: 1 } }) } },
    };
    const end = await new Orchestrator(manifest, { workers: { W: emitting('SUCCESS') } }).execute('Top');
    expect(pathOf(end.trail)).toEqual(['Top__One', 'Sub__S', 'Top__Two', 'Sub__S', 'Top__Three']);
  });

  it('sameFailure stops after n equal failures in a row, not after different ones', async () => {
    const failing = (texts: string[]): WorkerFunction => {
      let call = 0;
      return (context, run) =>
        answer(context, 'SIGNAL:AGAIN', run.segment('TEST_RESULT', texts[call++] ?? ''));
    };
    const steps = async (texts: string[]) => {
      const workers = { W: failing(texts), End: emitting('SUCCESS') };
      const manifest = loop({ limits: { sameFailure: 2 } }, { budget: { steps: 5 } });
      const end = await new Orchestrator(manifest, { workers }).execute('N');
      return [end.halt?.reason, end.used.steps];
    };
    await expect(steps(['boom', 'boom', 'boom'])).resolves.toEqual(['limit', 2]);
    await expect(steps(['boom', 'bang', 'boom', 'bang', 'boom'])).resolves.toEqual(['budget', 5]);
  });

  const check = { FAILURE: 'JUMP:Fix', SUCCESS: 'RETURN' };
  const checked = (limits: BlockDefinition['limits'], transitions = {}) => ({
    N: {
      entry_block: 'Check',
      blocks: {
        Check: block('Tests', { ...check, ...transitions }, limits ? { limits } : {}),
        Fix: block('Agent', { SUCCESS: 'JUMP:Check' }),
      },
    },
  });
  const failingAlike: WorkerFunction = (context, run) =>
    answer(context, 'SIGNAL:FAILURE', run.segment('TEST_RESULT', 'boom'));
  const agent = () => {
    const { worker, contexts } = recording(emitting('SUCCESS'));
    return {
      contexts,
      worker: {
        kind: 'agent' as const,
        run: async (...given: Parameters<typeof worker>) => worker(...given),
      },
    };
  };

  it('equal failures stop where they happen: every fix that was made is tested', async () => {
    const { worker } = agent();
    const end = await new Orchestrator(checked({ sameFailure: 3 }), {
      workers: { Tests: failingAlike, Agent: worker },
    }).execute('N');
    expect(pathOf(end.trail.filter(({ ran }) => ran))).toEqual([
      'N__Check',
      'N__Fix',
      'N__Check',
      'N__Fix',
      'N__Check',
    ]);
    expect(end.halt).toMatchObject({ reason: 'limit', block: 'N__Check', retry: { at: 'N__Fix' } });
    expect(end.halt?.message).toContain('3 times in a row');
  });

  it.each([
    ['sameFailure', { sameFailure: 2 }, {}],
    ['sameFailure that asks for a person', { sameFailure: 2 }, { LIMIT_REACHED: 'HALT_AND_FLAG' }],
    ['visits', { visits: 2 }, {}],
  ])(
    'a retry after %s reaches the agent with its hint, once, and its result is tested',
    async (_, limits, more) => {
      const { worker, contexts } = agent();
      const orchestrator = new Orchestrator(checked(limits, more), {
        workers: { Tests: failingAlike, Agent: worker },
      });
      const before = await orchestrator.execute('N');
      const reason = 'LIMIT_REACHED' in more ? 'flag' : 'limit';
      expect(before.halt).toMatchObject({ reason, block: 'N__Check' });
      const after = await orchestrator.retry('use the other port');
      const ran = after.trail.slice(before.trail.length).filter((entry) => entry.ran);
      expect(pathOf(ran)[0]).toBe('N__Fix');
      expect(pathOf(ran)[1]).toBe('N__Check');
      expect(contexts.at(-1)?.execution_payload.map(({ content }) => content)).toContain(
        'use the other port',
      );
      expect(after.halt).toMatchObject({ reason, block: 'N__Check' });
    },
  );

  it('a resume after equal failures runs the check itself again', async () => {
    const { worker } = agent();
    const Tests = emitting('FAILURE', 'FAILURE', 'SUCCESS');
    const orchestrator = new Orchestrator(checked({ sameFailure: 2 }), { workers: { Tests, Agent: worker } });
    const before = await orchestrator.execute('N');
    const after = await orchestrator.resume();
    expect(pathOf(after.trail.slice(before.trail.length))).toEqual(['N__Check']);
    expect(after.status).toBe('completed');
  });

  it('a manifest that was frozen before the field was renamed keeps its limit', () => {
    const { manifest } = compileManifest(loop({ limits: { sameFailure: 2 } }));
    const block = manifest?.blocks['N__A'];
    if (!block) throw new Error('the block is not there');
    const { sameFailure, ...others } = block.limits ?? {};
    const frozen = { ...block, limits: { ...others, same_failure: 2 } };
    expect([sameFailure, sameFailureLimit(block), sameFailureLimit(frozen)]).toEqual([2, 2, 2]);
  });

  it('a worker that never reacts is given up after a while instead of hanging the session', async () => {
    vi.useFakeTimers();
    try {
      const manifest = loop({ limits: { minutes: 1 } }, {}, { LIMIT_REACHED: 'JUMP:Out' });
      const workers = { W: () => new Promise<never>(() => {}), End: emitting('SUCCESS') };
      const running = new Orchestrator(manifest, { workers }).execute('N');
      await vi.advanceTimersByTimeAsync(60_000 + 10_000);
      await expect(running).resolves.toMatchObject({ status: 'completed' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('minutes end a block that hangs, and the step is counted', async () => {
    const manifest = loop({ limits: { minutes: 0.0005 } }, {}, { LIMIT_REACHED: 'JUMP:Out' });
    const orchestrator = new Orchestrator(manifest, {
      workers: {
        W: (_context, run) =>
          new Promise((_resolve, reject) =>
            run.cancel.addEventListener('abort', () => reject(new Error('stopped'))),
          ),
        End: emitting('SUCCESS'),
      },
    });
    const end = await orchestrator.execute('N');
    expect(pathOf(end.trail)).toEqual(['N__A', 'N__Out']);
    expect(end.payload[0]).toMatchObject({
      type: 'ERROR',
      content: expect.stringContaining('was stopped after'),
    });
  });

  const spending = (answers: boolean) => {
    const cancelled: boolean[] = [];
    const worker: WorkerFunction = (context, run) => {
      run.usage({ tokens: 10, usd: 0.6 });
      run.usage({ tokens: 10, usd: 0.6 });
      cancelled.push(run.cancel.aborted);
      if (!answers) throw new Error('stopped in the middle');
      return answer(context, 'SIGNAL:AGAIN');
    };
    return { cancelled, workers: { W: worker, End: emitting('SUCCESS') } };
  };

  it('money is counted in the middle of a step and stops it there', async () => {
    const { cancelled, workers } = spending(false);
    const orchestrator = new Orchestrator(loop({}, { budget: { usd: 1 } }), { workers });
    const end = await orchestrator.execute('N');
    expect(cancelled).toEqual([true]);
    expect(end).toMatchObject({
      status: 'halted',
      halt: { reason: 'budget' },
      used: { tokens: 20, usd: 1.2, steps: 0 },
    });
    await expect(orchestrator.resume()).resolves.toMatchObject({
      halt: { reason: 'budget' },
      used: { usd: 1.2 },
    });
  });

  it('a result that came in full counts, although it spent the last of the budget', async () => {
    const { workers } = spending(true);
    const end = await new Orchestrator(loop({}, { budget: { usd: 1 } }), { workers }).execute('N');
    expect(end).toMatchObject({ status: 'halted', halt: { reason: 'budget' }, used: { usd: 1.2, steps: 1 } });
  });

  it.each([{ usd: -1 }, { tokens: Number.NaN }, { usd: Number.POSITIVE_INFINITY }])(
    'a usage of %o is an error',
    async (usage) => {
      const W: WorkerFunction = (context, run) => {
        run.usage(usage);
        return answer(context, 'SIGNAL:SUCCESS');
      };
      await expect(new Orchestrator(chain('W'), { workers: { W } }).execute('Main')).rejects.toThrow(
        'cannot be counted',
      );
    },
  );

  it('time that a block used before it was interrupted counts against its limit', async () => {
    let now = 0;
    const clock = { now: () => now, elapsed: () => now };
    const orchestrator: Orchestrator = new Orchestrator(loop({ limits: { minutes: 10 } }), {
      clock,
      workers: {
        W: (_context, run) =>
          new Promise((_, reject) => {
            run.cancel.addEventListener('abort', () => reject(new Error('stopped')));
            now += 11 * 60_000;
            orchestrator.interrupt();
          }),
        End: emitting('SUCCESS'),
      },
    });
    await expect(orchestrator.execute('N')).resolves.toMatchObject({
      halt: { reason: 'interrupted' },
      used: { ms: 660_000 },
    });
    await expect(orchestrator.resume()).resolves.toMatchObject({
      halt: { reason: 'limit', message: expect.stringContaining('10 minutes') },
    });
  });

  it('time of a block that its limit stopped counts once', async () => {
    let now = 0;
    const clock = { now: () => now, elapsed: () => now };
    const manifest = loop({ limits: { minutes: 0.0005 } }, {}, { LIMIT_REACHED: 'JUMP:Out' });
    const orchestrator = new Orchestrator(manifest, {
      clock,
      workers: {
        W: (_context, run) =>
          new Promise((_, reject) => {
            now += 40;
            run.cancel.addEventListener('abort', () => reject(new Error('stopped')));
          }),
        End: emitting('SUCCESS'),
      },
    });
    await expect(orchestrator.execute('N')).resolves.toMatchObject({ status: 'completed', used: { ms: 40 } });
  });
});

describe('gates', () => {
  const gated = { ...loop({}, { gates: ['A'] }, { FAILURE: 'JUMP:Out' }) };

  it('a gate that failed, or never ran, keeps the session from completing', async () => {
    const workers = { W: emitting('FAILURE', 'SUCCESS'), End: emitting('SUCCESS') };
    const orchestrator = new Orchestrator(gated, { workers });
    const end = await orchestrator.execute('N');
    expect(end).toMatchObject({ status: 'halted', halt: { reason: 'gate', block: 'N__A' } });
    await expect(orchestrator.resume()).resolves.toMatchObject({ halt: { reason: 'gate' } });
    await expect(orchestrator.retry()).resolves.toMatchObject({ status: 'completed' });

    const never = { ...chain('X') };
    const body = {
      nodes: { ...never, Other: { entry_block: 'G', blocks: { G: block('X') } } },
      gates: ['Other__G'],
    };
    const unrun = await new Orchestrator(body, { workers: { X: emitting('SUCCESS') } }).execute('Main');
    expect(unrun.halt?.message).toContain('Other__G never ran');
  });

  it('files that cannot be read close the gate, and the step that ran is kept', async () => {
    const manifest = { nodes: { N: { entry_block: 'Test', blocks: { Test: block('W') } } }, gates: ['Test'] };
    const identity = () => Promise.reject(new Error('EACCES: secret.txt'));
    const end = await new Orchestrator(manifest, {
      workers: { W: emitting('SUCCESS') },
      tree: { identity },
    }).execute('N');
    expect(end).toMatchObject({
      status: 'halted',
      halt: { reason: 'gate', message: expect.stringContaining('EACCES: secret.txt') },
    });
    expect(end.used.steps).toBe(1);
  });

  it('files that cannot be kept halt the session after the step, which counts', async () => {
    let full = true;
    const tree = {
      identity: () => Promise.resolve('same'),
      save: (step: number) =>
        full && step > 0 ? Promise.reject(new Error('no space')) : Promise.resolve(`c${step}`),
    };
    const workers = { A: emitting('SUCCESS'), B: emitting('SUCCESS') };
    const orchestrator = new Orchestrator(chain('A', 'B'), { workers, tree });
    const halted = await orchestrator.execute('Main');
    expect(halted).toMatchObject({
      halt: { reason: 'files', message: expect.stringContaining('no space') },
      used: { steps: 1 },
    });
    full = false;
    const end = await orchestrator.resume();
    expect(pathOf(end.trail)).toEqual(['Main__A', 'Main__B']);
    expect(end.status).toBe('completed');
  });

  it('a gate counts only on the very tree that is delivered', async () => {
    const trees = ['tested', 'changed since'];
    const manifest = {
      nodes: {
        N: {
          entry_block: 'Test',
          blocks: { Test: block('W', { SUCCESS: 'JUMP:After' }), After: block('W') },
        },
      },
      gates: ['Test'],
    };
    const workers = { W: emitting('SUCCESS') };
    const run = (identity: () => Promise<string>) =>
      new Orchestrator(manifest, { workers, tree: { identity } }).execute('N');
    const stale = await run(() => Promise.resolve(trees.shift() ?? ''));
    expect(stale.halt?.message).toContain('passed before the files changed again');
    await expect(run(() => Promise.resolve('same'))).resolves.toMatchObject({ status: 'completed' });
  });
});
