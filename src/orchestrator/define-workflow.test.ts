import { expect, expectTypeOf, test } from 'vitest';
import { compileManifest } from '../manifest/compile.ts';
import { type BlockOf, defineWorkflow, type NodeOf, type SignalOf } from '../manifest/define-workflow.ts';
import type { WorkflowManifest } from '../manifest/definition.ts';
import type { WorkerContext } from '../manifest/worker.ts';
import { Orchestrator } from './orchestrator.ts';

const workflow = defineWorkflow({
  nodes: {
    Build: {
      entry_block: 'Write',
      blocks: {
        Write: {
          worker: 'Coder',
          transitions: [
            { on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Test' },
            { on_signal: 'SIGNAL:FAILURE', action: 'CALL:Help:Test' },
          ],
        },
        Test: { worker: 'Coder', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }] },
      },
    },
    Help: {
      entry_block: 'Ask',
      blocks: { Ask: { worker: 'Coder', transitions: [{ on_signal: 'SIGNAL:DONE', action: 'RETURN' }] } },
    },
  },
  gates: ['Build__Test'],
});

test('a defined workflow runs in the engine, and can be started only in a node it has', async () => {
  const workers = {
    Coder: (context: WorkerContext) => ({
      signal: 'SIGNAL:SUCCESS',
      new_payload: [...context.execution_payload],
    }),
  };
  const orchestrator = new Orchestrator(workflow, { workers });
  expectTypeOf(orchestrator).toEqualTypeOf<Orchestrator<'Build' | 'Help'>>();
  expect(await orchestrator.execute('Build')).toMatchObject({ status: 'completed' });
  // @ts-expect-error -- there is no node Biuld
  await expect(new Orchestrator(workflow, { workers }).execute('Biuld')).rejects.toThrow('Biuld');
  const plain: WorkflowManifest = workflow;
  expectTypeOf(new Orchestrator(plain, { workers })).toEqualTypeOf<Orchestrator>();
  expectTypeOf(new Orchestrator({ nodes: workflow.nodes }, { workers })).toEqualTypeOf<Orchestrator>();
});

test('the names of a defined workflow are types, and it compiles as it stands', () => {
  expectTypeOf<NodeOf<typeof workflow>>().toEqualTypeOf<'Build' | 'Help'>();
  expectTypeOf<BlockOf<typeof workflow>>().toEqualTypeOf<'Build__Write' | 'Build__Test' | 'Help__Ask'>();
  expectTypeOf<SignalOf<typeof workflow>>().toEqualTypeOf<
    'SIGNAL:SUCCESS' | 'SIGNAL:FAILURE' | 'SIGNAL:DONE'
  >();
  const errors = compileManifest(workflow).problems.filter(({ severity }) => severity === 'error');
  expect(errors).toEqual([]);
});

const block = <const T extends readonly object[]>(...transitions: T) =>
  ({ worker: 'W', transitions }) as const;

/** Only compiled: each line below a mark must be a type error, or the compiler complains about the mark. */
export function mistakes(): void {
  const right = block({ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Work' });
  defineWorkflow({ nodes: { Main: { entry_block: 'Work', blocks: { Work: right } } }, gates: ['Work'] });
  defineWorkflow({
    // @ts-expect-error -- there is no block Begin
    nodes: { Main: { entry_block: 'Begin', blocks: { Work: block() } } },
  });
  const jump = block({ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Wrok' });
  // @ts-expect-error -- there is no block Wrok to jump to
  defineWorkflow({ nodes: { Main: { entry_block: 'Work', blocks: { Work: jump } } } });
  const call = block({ on_signal: 'SIGNAL:FAILURE', action: 'CALL:Other' });
  // @ts-expect-error -- there is no node Other to call
  defineWorkflow({ nodes: { Main: { entry_block: 'Work', blocks: { Work: call } } } });
  const signal = block({ on_signal: 'DONE', action: 'RETURN' });
  // @ts-expect-error -- a signal begins with SIGNAL:
  defineWorkflow({ nodes: { Main: { entry_block: 'Work', blocks: { Work: signal } } } });
  // @ts-expect-error -- there is no block Check
  defineWorkflow({ nodes: { Main: { entry_block: 'Work', blocks: { Work: block() } } }, gates: ['Check'] });
}
