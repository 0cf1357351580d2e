import { describe, expect, it } from 'vitest';
import type { WorkflowManifest } from '../manifest/definition.ts';
import type { WorkerFunction } from '../manifest/worker.ts';
import { Orchestrator } from './orchestrator.ts';
import { answer, block, chain, emitting, pathOf, recording } from './testing.ts';

const halting: WorkflowManifest = {
  N: {
    entry_block: 'A',
    blocks: { A: block('Ask', { FAILURE: 'HALT_AND_FLAG', SUCCESS: 'JUMP:B' }), B: block('W') },
  },
};

describe('halt', () => {
  it('ACT-06 stops, names the block that asked, and resume continues with the next block', async () => {
    const { worker, contexts } = recording();
    const orchestrator = new Orchestrator(halting, { workers: { Ask: emitting('FAILURE'), W: worker } });
    const halted = await orchestrator.execute('N');
    expect(halted).toMatchObject({
      status: 'halted',
      isHalted: true,
      block: 'N__A',
      halt: { reason: 'flag' },
    });
    expect(contexts).toEqual([]);
    const end = await orchestrator.resume('mind the gap');
    expect(end).toMatchObject({ status: 'completed', isHalted: false });
    expect(contexts[0]?.execution_payload.at(-1)).toMatchObject({
      type: 'HUMAN_GUIDANCE',
      content: 'mind the gap',
    });
  });

  it('B-06 retry runs the same block again, with guidance, even with an empty text', async () => {
    const { worker, contexts } = recording(emitting('FAILURE', 'SUCCESS'));
    const orchestrator = new Orchestrator(halting, { workers: { Ask: worker, W: emitting('SUCCESS') } });
    await orchestrator.execute('N');
    const end = await orchestrator.retry('');
    expect(pathOf(end.trail)).toEqual(['N__A', 'N__A', 'N__B']);
    expect(contexts[1]?.execution_payload.at(-1)).toMatchObject({ type: 'HUMAN_GUIDANCE', content: '' });
  });

  it('B-06 abort ends it, and nothing can be continued afterwards', async () => {
    const orchestrator = new Orchestrator(halting, {
      workers: { Ask: emitting('FAILURE'), W: emitting('SUCCESS') },
    });
    await orchestrator.execute('N');
    const aborted = await orchestrator.abort('enough', { guidance: 'wrong approach' });
    expect(aborted.status).toBe('aborted');
    expect(aborted.payload.at(-1)).toMatchObject({ type: 'HUMAN_GUIDANCE', content: 'wrong approach' });
    await expect(orchestrator.resume()).rejects.toThrow('is aborted; there is nothing to continue');
  });

  it('ACT-06 resume is refused when nothing is halted', async () => {
    const orchestrator = new Orchestrator(chain('W'), { workers: { W: emitting('SUCCESS') } });
    await expect(orchestrator.resume()).rejects.toThrow('no session');
    await orchestrator.execute('Main');
    await expect(orchestrator.resume()).rejects.toThrow('is completed');
  });

  it('ACT-06 resuming the last block of a called node returns to its caller', async () => {
    const manifest: WorkflowManifest = {
      Top: { entry_block: 'T1', blocks: { T1: block('W', { SUCCESS: 'CALL:Sub' }), T2: block('W') } },
      Sub: { entry_block: 'S1', blocks: { S1: block('Ask', { FAILURE: 'HALT_AND_FLAG' }) } },
    };
    const orchestrator = new Orchestrator(manifest, {
      workers: { W: emitting('SUCCESS'), Ask: emitting('FAILURE') },
    });
    await orchestrator.execute('Top');
    expect(pathOf((await orchestrator.resume()).trail)).toEqual(['Top__T1', 'Sub__S1', 'Top__T2']);
  });

  it('B-05 stepping halts before every block and each resume runs exactly one', async () => {
    const orchestrator = new Orchestrator(chain('A', 'B'), {
      workers: { A: emitting('SUCCESS'), B: emitting('SUCCESS') },
    });
    const before = await orchestrator.execute('Main', { stepping: true });
    expect(before).toMatchObject({
      status: 'halted',
      halt: { reason: 'step', resumeAt: 'Main__A' },
      trail: [],
    });
    await expect(orchestrator.retry()).rejects.toThrow('none to retry');
    const afterA = await orchestrator.resume('go');
    expect(pathOf(afterA.trail)).toEqual(['Main__A']);
    expect(afterA.halt).toMatchObject({ reason: 'step', block: 'Main__A', resumeAt: 'Main__B' });
    await expect(orchestrator.resume()).resolves.toMatchObject({ status: 'completed' });
  });

  it('B-05 retry after a step runs that block again from the stack it began with', async () => {
    const manifest: WorkflowManifest = {
      M: { entry_block: 'A', blocks: { A: block('W', { SUCCESS: 'CALL:N' }), Verify: block('W') } },
      N: { entry_block: 'X', blocks: { X: block('W', { SUCCESS: 'RETURN' }) } },
    };
    const orchestrator = new Orchestrator(manifest, { workers: { W: emitting('SUCCESS') } });
    await orchestrator.execute('M', { stepping: true });
    await orchestrator.resume();
    await expect(orchestrator.retry()).resolves.toMatchObject({
      returnStack: ['M__Verify'],
      halt: { resumeAt: 'N__X' },
    });
    await orchestrator.resume();
    await orchestrator.retry();
    const end = await orchestrator.resume();
    expect(pathOf(end.trail)).toEqual(['M__A', 'M__A', 'N__X', 'N__X', 'M__Verify']);
    expect(end.status).toBe('completed');
  });

  it('B-05 stepping can be left', async () => {
    const orchestrator = new Orchestrator(chain('A', 'B', 'C'), {
      workers: { A: emitting('SUCCESS'), B: emitting('SUCCESS'), C: emitting('SUCCESS') },
    });
    await orchestrator.execute('Main', { stepping: true });
    await expect(orchestrator.resume({ stepping: false })).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('questions and parking', () => {
  const asking: WorkerFunction = (context, run) => {
    const reply = run.ask({ question: 'Which?', choices: ['Left', 'Right'] });
    return answer(context, `SIGNAL:${reply.toUpperCase()}`);
  };
  const fork: WorkflowManifest = {
    N: {
      entry_block: 'Q',
      blocks: { Q: block('Asking', { LEFT: 'JUMP:L', RIGHT: 'JUMP:R' }), L: block('W'), R: block('W') },
    },
  };

  it('a question halts durably, needs one of its choices, and decides the way', async () => {
    const orchestrator = new Orchestrator(fork, { workers: { Asking: asking, W: emitting('SUCCESS') } });
    const halted = await orchestrator.execute('N');
    expect(halted.halt).toMatchObject({ reason: 'question', question: { choices: ['Left', 'Right'] } });
    expect(halted.used.steps).toBe(0);
    await expect(orchestrator.resume()).rejects.toThrow('waits for an answer');
    await expect(orchestrator.resume({ answer: 'rihgt' })).rejects.toThrow('Did you mean "Right"?');
    const end = await orchestrator.resume({ answer: 'right' });
    expect(pathOf(end.trail)).toEqual(['N__Q', 'N__R']);
  });

  it('an answer that nobody asked for is refused', async () => {
    const orchestrator = new Orchestrator(halting, {
      workers: { Ask: emitting('FAILURE'), W: emitting('SUCCESS') },
    });
    await orchestrator.execute('N');
    await expect(orchestrator.resume({ answer: 'yes' })).rejects.toThrow('has not asked anything');
    await expect(orchestrator.resume()).resolves.toMatchObject({ status: 'completed' });
  });

  it('several questions of one step are answered one after the other', async () => {
    const both: WorkerFunction = (context, run) => {
      const text = `${run.ask({ question: 'First?' })} ${run.ask({ question: 'Second?' })}`;
      return answer(context, 'SIGNAL:SUCCESS', run.segment('BOTH', text));
    };
    const orchestrator = new Orchestrator(chain('W'), { workers: { W: both } });
    await orchestrator.execute('Main');
    await expect(orchestrator.resume({ answer: 'one' })).resolves.toMatchObject({
      halt: { message: 'Second?' },
    });
    const end = await orchestrator.resume({ answer: 'two' });
    expect(end.payload.at(-1)?.content).toBe('one two');
  });

  it('parking counts no visit and resume runs the block again', async () => {
    let blocked = true;
    const orchestrator = new Orchestrator(
      { N: { entry_block: 'A', blocks: { A: block('W', {}, { limits: { visits: 1 } }) } } },
      {
        workers: {
          W: (context, run) =>
            blocked ? run.park(new Date(5000), 'quota') : answer(context, 'SIGNAL:SUCCESS'),
        },
      },
    );
    await expect(orchestrator.execute('N')).resolves.toMatchObject({
      status: 'parked',
      parkedUntil: 5000,
      trail: [],
    });
    blocked = false;
    await expect(orchestrator.resume()).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('cancellation', () => {
  const hanging =
    (started: () => void): WorkerFunction =>
    (_context, run) =>
      new Promise((_resolve, reject) => {
        run.cancel.addEventListener('abort', () => reject(new Error('cancelled')));
        started();
      });

  it('interrupt reaches the worker, and resume runs its block again', async () => {
    let calls = 0;
    const orchestrator: Orchestrator = new Orchestrator(chain('W'), {
      workers: {
        W: (context, run) =>
          calls++ === 0
            ? hanging(() => orchestrator.interrupt())(context, run)
            : answer(context, 'SIGNAL:SUCCESS'),
      },
    });
    const halted = await orchestrator.execute('Main');
    expect(halted).toMatchObject({
      status: 'halted',
      halt: { reason: 'interrupted', block: 'Main__W' },
      trail: [],
    });
    await expect(orchestrator.resume()).resolves.toMatchObject({ status: 'completed', used: { steps: 1 } });
  });

  it('interrupt is not lost while a session is still being opened', async () => {
    const { worker, contexts } = recording();
    const orchestrator = new Orchestrator(halting, { workers: { Ask: emitting('FAILURE'), W: worker } });
    await orchestrator.execute('N');
    const resumed = orchestrator.resume();
    orchestrator.interrupt('changed my mind');
    await expect(resumed).resolves.toMatchObject({
      halt: { reason: 'interrupted', message: 'changed my mind' },
    });
    expect(contexts).toEqual([]);
  });

  it('abort reaches the worker and ends the session', async () => {
    let aborted: Promise<unknown> | undefined;
    const orchestrator: Orchestrator = new Orchestrator(chain('W'), {
      workers: { W: hanging(() => void (aborted = orchestrator.abort('enough'))) },
    });
    await expect(orchestrator.execute('Main')).resolves.toMatchObject({ status: 'aborted' });
    await expect(aborted).resolves.toMatchObject({ status: 'aborted' });
  });
});
