import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../kernel/json.ts';
import type { WorkflowManifest } from '../manifest/definition.ts';
import type { WorkerFunction } from '../manifest/worker.ts';
import { Orchestrator } from './orchestrator.ts';
import { answer, block, chain, emitting, pathOf, recording } from './testing.ts';

describe('the loop', () => {
  it('ENG-06 refuses what is not a manifest, before any worker runs', () => {
    const { worker, contexts } = recording();
    const bad: unknown[] = [[], null, 'x', { N: { entry_block: 'gone', blocks: { A: block('W') } } }];
    for (const manifest of bad) {
      expect(() => new Orchestrator(manifest as WorkflowManifest, { workers: { W: worker } })).toThrow();
    }
    const flying = { N: { entry_block: 'A', blocks: { A: block('W', { SUCCESS: 'FLY:x' }) } } };
    expect(() => new Orchestrator(flying, { workers: { W: worker } })).toThrow('FLY:x');
    expect(contexts).toEqual([]);
  });

  it('ENG-07 ENG-08 starts at the entry block with an empty stack, again on every call', async () => {
    const { worker, contexts } = recording();
    const orchestrator = new Orchestrator(chain('W'), { workers: { W: worker } });
    expect(Orchestrator.length).toBe(2);
    const first = await orchestrator.execute('Main');
    const second = await orchestrator.execute('Main');
    expect([first.status, second.status]).toEqual(['completed', 'completed']);
    expect(second.payload).toHaveLength(1);
    expect(second.returnStack).toEqual([]);
    expect(contexts[1]?.execution_payload).toEqual([]);
  });

  it('ENG-08 rejects an unknown node by name, and a second call while running', async () => {
    const orchestrator = new Orchestrator(chain('W'), { workers: { W: emitting('SUCCESS') } });
    await expect(orchestrator.execute('Mian')).rejects.toThrow('no node "Mian". Did you mean "Main"?');
    const running = orchestrator.execute('Main');
    await expect(orchestrator.execute('Main')).rejects.toThrow('running a session already');
    await expect(running).resolves.toMatchObject({ status: 'completed' });
  });

  it('ENG-09 assembles, runs, looks up and acts, block by block', async () => {
    const orchestrator = new Orchestrator(chain('A', 'B'), {
      workers: { A: emitting('SUCCESS'), B: emitting('SUCCESS') },
    });
    const seen: string[] = [];
    orchestrator.events.subscribe((event) => {
      if (event.type === 'step.started') seen.push(`run ${event.block}`);
      if (event.type === 'step.finished')
        seen.push(`${event.entry.signal} ${event.entry.action} ${event.entry.next}`);
    });
    await orchestrator.execute('Main');
    expect(seen).toEqual([
      'run Main__A',
      'SIGNAL:SUCCESS JUMP:B Main__B',
      'run Main__B',
      'SIGNAL:SUCCESS null null',
    ]);
  });

  it('ENG-02 ENG-10 hands the history on in the order it was made', async () => {
    const { worker, contexts } = recording();
    const orchestrator = new Orchestrator(chain('A', 'B', 'C'), {
      workers: { A: emitting('SUCCESS'), B: emitting('SUCCESS'), C: worker },
    });
    await orchestrator.execute('Main');
    expect(contexts[0]?.execution_payload.map((entry) => entry.content)).toEqual([
      'Main__A SUCCESS',
      'Main__B SUCCESS',
    ]);
  });

  it('ENG-01 every added segment has an id of its own', async () => {
    const loop = {
      N: { entry_block: 'A', blocks: { A: block('W', { AGAIN: 'JUMP:A', SUCCESS: 'RETURN' }) } },
    };
    const orchestrator = new Orchestrator(loop, { workers: { W: emitting('AGAIN', 'AGAIN', 'SUCCESS') } });
    const { payload } = await orchestrator.execute('N', {
      payload: [{ id: '1.1', type: 'OLD', content: 'x' }],
    });
    expect(new Set(payload.map((entry) => entry.id)).size).toBe(4);
    for (const entry of payload)
      expect(entry).toMatchObject({ type: expect.any(String), content: expect.anything() });
  });

  it('ENG-19 waits for a slow worker', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const order: string[] = [];
    const orchestrator = new Orchestrator(chain('Slow', 'Next'), {
      workers: {
        Slow: async (context) => {
          await gate;
          order.push('slow');
          return answer(context, 'SIGNAL:SUCCESS');
        },
        Next: (context) => {
          order.push('next');
          return answer(context, 'SIGNAL:SUCCESS');
        },
      },
    });
    const running = orchestrator.execute('Main');
    release();
    await running;
    expect(order).toEqual(['slow', 'next']);
  });

  it('ENG-21 ENG-22 matches exactly, takes the first of equals, else the fallback', async () => {
    const manifest = {
      N: {
        entry_block: 'A',
        blocks: {
          A: {
            worker: 'W',
            transitions: [
              { on_signal: 'SIGNAL:success', action: 'JUMP:Wrong' },
              { on_signal: 'SIGNAL:SUCCES', action: 'JUMP:Wrong' },
              { on_signal: 'SIGNAL:KNOWN', action: 'JUMP:Right' },
              { on_signal: 'SIGNAL:KNOWN', action: 'JUMP:Wrong' },
              { on_signal: 'SIGNAL:FAIL_DEFAULT', action: 'JUMP:Fallback' },
            ],
          },
          Right: block('End'),
          Wrong: block('End'),
          Fallback: block('End'),
        },
      },
    };
    const path = async (signal: string) => {
      const workers = { W: emitting(signal), End: emitting('SUCCESS') };
      return pathOf((await new Orchestrator(manifest, { workers }).execute('N')).trail).at(-1);
    };
    await expect(path('KNOWN')).resolves.toBe('N__Right');
    await expect(path('SUCCESS')).resolves.toBe('N__Fallback');
    await expect(path('WEIRD')).resolves.toBe('N__Fallback');
    await expect(path('FAIL_DEFAULT')).resolves.toBe('N__Fallback');
  });

  it('ENG-23 fails when nothing matches and there is no fallback, naming block and signal', async () => {
    const manifest = { N: { entry_block: 'A', blocks: { A: block('W', { A: 'RETURN' }) } } };
    const orchestrator = new Orchestrator(manifest, { workers: { W: emitting('B') } });
    await expect(orchestrator.execute('N')).rejects.toThrow('Block N__A emitted SIGNAL:B');
  });

  it('ENG-24 ENG-29 an empty table or a last RETURN ends the run', async () => {
    for (const transitions of [{}, { SUCCESS: 'RETURN' }]) {
      const manifest = { N: { entry_block: 'A', blocks: { A: block('W', transitions) } } };
      const end = await new Orchestrator(manifest, { workers: { W: emitting('SUCCESS') } }).execute('N');
      expect(end).toMatchObject({ status: 'completed', isHalted: false });
      expect(end.trail).toHaveLength(1);
    }
  });

  it('ENG-20 a worker that throws takes the fallback with an ERROR segment', async () => {
    const manifest = {
      N: { entry_block: 'A', blocks: { A: block('W', { FAIL_DEFAULT: 'JUMP:B' }), B: block('End') } },
    };
    const workers = {
      W: () => {
        throw new Error('no luck');
      },
      End: emitting('SUCCESS'),
    };
    const end = await new Orchestrator(manifest, { workers }).execute('N');
    expect(pathOf(end.trail)).toEqual(['N__A', 'N__B']);
    expect(end.payload[0]).toMatchObject({ type: 'ERROR', content: 'no luck' });
  });

  it('ENG-20 without a fallback execute rejects with the original error, and retry runs the block again', async () => {
    const original = new Error('no luck');
    let broken = true;
    const { worker, contexts } = recording();
    const orchestrator = new Orchestrator(chain('W', 'Next'), {
      workers: {
        W: (context) => {
          if (broken) throw original;
          return answer(context, 'SIGNAL:SUCCESS');
        },
        Next: worker,
      },
    });
    await expect(orchestrator.execute('Main')).rejects.toBe(original);
    expect(contexts).toEqual([]);
    broken = false;
    await expect(orchestrator.retry()).resolves.toMatchObject({ status: 'completed' });
    expect(contexts).toHaveLength(1);
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [{ new_payload: [] }, 'without a signal'],
    [{ signal: '', new_payload: [] }, 'without a signal'],
    [{ signal: 'SIGNAL:SUCCESS' }, 'without a new_payload'],
    [{ signal: 'SIGNAL:SUCCESS', new_payload: [7] }, 'not a segment'],
  ])('ENG-20 an answer of %o is an error that says so', async (bad, message) => {
    const orchestrator = new Orchestrator(chain('W'), { workers: { W: () => bad as never } });
    await expect(orchestrator.execute('Main')).rejects.toThrow(message);
  });

  it('ENG-20 an answer of 200 MB is an error that says what to do instead', async () => {
    const huge: WorkerFunction = (context, run) =>
      answer(context, 'SIGNAL:SUCCESS', run.segment('LOG', { part: 'x'.repeat(200 * 2 ** 20) }));
    const orchestrator = new Orchestrator(chain('W'), { workers: { W: huge } });
    await expect(orchestrator.execute('Main')).rejects.toThrow('larger than 32 MiB; write it to a file');
  });

  it('ENG-31 two equal runs leave equal trails', async () => {
    const run = async () => {
      const workers = { A: emitting('SUCCESS'), B: emitting('SUCCESS') };
      const { trail } = await new Orchestrator(chain('A', 'B'), { workers }).execute('Main');
      return trail.map(({ block, signal, matched, action, next }) => ({
        block,
        signal,
        matched,
        action,
        next,
      }));
    };
    const first = await run();
    expect(first).toEqual([
      { block: 'Main__A', signal: 'SIGNAL:SUCCESS', matched: 'exact', action: 'JUMP:B', next: 'Main__B' },
      { block: 'Main__B', signal: 'SIGNAL:SUCCESS', matched: 'none', action: null, next: null },
    ]);
    await expect(run()).resolves.toEqual(first);
  });

  it('ENG-33 a deep-frozen manifest runs, and a worker cannot change it', async () => {
    const manifest = deepFreeze(chain('A', 'B'));
    const meddling = emitting('SUCCESS');
    const orchestrator = new Orchestrator(manifest, {
      workers: {
        A: (context, run) => {
          expect(() => Object.assign(context.contract.with, { x: 1 })).toThrow();
          expect(() => Object.assign(context.inherited_context, { x: 1 })).toThrow();
          return meddling(context, run);
        },
        B: emitting('SUCCESS'),
      },
    });
    await expect(orchestrator.execute('Main')).resolves.toMatchObject({ status: 'completed' });
  });

  it('ACT-01 nothing a worker returns beside signal and payload moves control', async () => {
    const orchestrator = new Orchestrator(chain('A', 'B', 'C'), {
      workers: {
        A: (context) => ({ ...answer(context, 'SIGNAL:SUCCESS'), nextBlockId: 'Main__C' }),
        B: emitting('SUCCESS'),
        C: emitting('SUCCESS'),
      },
    });
    expect(pathOf((await orchestrator.execute('Main')).trail)).toEqual(['Main__A', 'Main__B', 'Main__C']);
  });

  it('B-09 publishes the blocks of the node, the last transition and what went in and out', async () => {
    const views: unknown[] = [];
    const orchestrator = new Orchestrator(chain('A', 'B'), {
      workers: { A: emitting('SUCCESS'), B: emitting('SUCCESS') },
      onState: (view) => views.push(structuredClone(view)),
    });
    await orchestrator.execute('Main');
    expect(views[0]).toMatchObject({
      blocks: [
        { id: 'Main__A', status: 'active' },
        { id: 'Main__B', status: 'pending' },
      ],
      lastTransition: null,
      ended: false,
    });
    expect(views.at(-1)).toMatchObject({
      blocks: [
        { id: 'Main__A', status: 'complete' },
        { id: 'Main__B', status: 'complete' },
      ],
      lastTransition: { block: 'Main__B', signal: 'SIGNAL:SUCCESS' },
      log: { Main__B: { input: [{ content: 'Main__A SUCCESS' }], output: [{ content: 'Main__B SUCCESS' }] } },
      ended: true,
    });
  });
});
