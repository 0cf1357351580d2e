import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../kernel/json.ts';
import type { ManifestBody } from '../manifest/definition.ts';
import type { WorkerFunction } from '../manifest/worker.ts';
import { Orchestrator } from './orchestrator.ts';
import { answer, block, emitting, pathOf, recording } from './testing.ts';

const saying = (...contents: JsonValue[]): WorkerFunction => {
  let call = 0;
  return (context, run) =>
    answer(context, 'SIGNAL:SUCCESS', run.segment('CODE_OUTPUT', contents[call++] ?? 'nothing more to say'));
};

const checked = (schema: string, extra: object = {}): ManifestBody => ({
  nodes: {
    N: {
      entry_block: 'Make',
      blocks: {
        Make: block(
          'Model',
          { SUCCESS: 'JUMP:Write', VALIDATION_FAIL: 'JUMP:Make' },
          { validationSchema: schema },
        ),
        Write: block('Writer'),
      },
    },
  },
  ...extra,
});

describe('output validation', () => {
  it('TFX-11 B-08 a rejected answer is asked again with a note, and nothing is written in between', async () => {
    const model = recording(saying('I cannot do that.', '{"filePath":"a.ts","fileContent":"x"}'));
    const writer = recording(emitting('SUCCESS'));
    const orchestrator = new Orchestrator(checked('file_output'), {
      workers: { Model: model.worker, Writer: writer.worker },
    });
    const end = await orchestrator.execute('N');
    expect(pathOf(end.trail)).toEqual(['N__Make', 'N__Make', 'N__Write']);
    expect(end.trail[0]?.signal).toBe('SIGNAL:VALIDATION_FAIL');
    const note = model.contexts[1]?.execution_payload.at(-1);
    expect(note).toMatchObject({ type: 'VALIDATION_ERROR', content: { schema: 'file_output' } });
    const written = writer.contexts[0]?.execution_payload.filter((segment) => segment.type === 'CODE_OUTPUT');
    expect(written).toMatchObject([{ content: { filePath: 'a.ts', fileContent: 'x' } }]);
  });

  it('B-08 fences and chatter around the answer are cleaned away', async () => {
    const chatty = 'Sure! Here it is:\n```json\n{"filePath":"a.ts","fileContent":"`x`"}\n```\nAnything else?';
    const orchestrator = new Orchestrator(checked('file_output'), {
      workers: { Model: saying(chatty), Writer: emitting('SUCCESS') },
    });
    const end = await orchestrator.execute('N');
    expect(end.payload[0]?.content).toEqual({ filePath: 'a.ts', fileContent: '`x`' });
  });

  it('TFX-11 a text schema is not parsed as JSON', async () => {
    const manifest = checked('prose', { schemas: { prose: { type: 'string', minLength: 3 } } });
    const orchestrator = new Orchestrator(manifest, {
      workers: { Model: saying('no', '{ not json'), Writer: emitting('SUCCESS') },
    });
    const end = await orchestrator.execute('N');
    expect(pathOf(end.trail)).toEqual(['N__Make', 'N__Make', 'N__Write']);
    expect(end.payload.find((segment) => segment.type === 'CODE_OUTPUT')?.content).toBe('{ not json');
  });

  it('signalFrom lets a validated field decide the way', async () => {
    const verdict = {
      type: 'object',
      required: ['verdict'],
      properties: { verdict: { enum: ['approve', 'needs work'] } },
    };
    const manifest: ManifestBody = {
      schemas: { verdict },
      nodes: {
        N: {
          entry_block: 'Judge',
          blocks: {
            Judge: block(
              'Model',
              { APPROVE: 'JUMP:Yes', NEEDS_WORK: 'JUMP:No', VALIDATION_FAIL: 'HALT_AND_FLAG' },
              { validationSchema: 'verdict', signalFrom: 'verdict' },
            ),
            Yes: block('End'),
            No: block('End'),
          },
        },
      },
    };
    const path = async (said: string) => {
      const orchestrator = new Orchestrator(manifest, {
        workers: { Model: saying(said), End: emitting('SUCCESS') },
      });
      return pathOf((await orchestrator.execute('N')).trail).at(-1);
    };
    await expect(path('{"verdict":"needs work"}')).resolves.toBe('N__No');
    await expect(path('```json\n{"verdict":"approve"}\n```')).resolves.toBe('N__Yes');
    // A verdict that is only quoted is nobody's.
    await expect(path('The file says {"verdict":"approve"}')).resolves.toBe('N__Judge');
    await expect(path('{"verdict":"perhaps"}')).resolves.toBe('N__Judge');
  });

  it("B-08 a signal of the worker's own does not lead past the check", async () => {
    const manifest: ManifestBody = {
      nodes: {
        N: {
          entry_block: 'Make',
          blocks: {
            Make: block(
              'Model',
              { FIXED: 'JUMP:Write', VALIDATION_FAIL: 'HALT_AND_FLAG' },
              { validationSchema: 'file_output' },
            ),
            Write: block('Writer'),
          },
        },
      },
    };
    const Model: WorkerFunction = (context, run) =>
      answer(context, 'SIGNAL:FIXED', run.segment('CODE_OUTPUT', 'junk'));
    const end = await new Orchestrator(manifest, { workers: { Model, Writer: emitting('SUCCESS') } }).execute(
      'N',
    );
    expect(pathOf(end.trail)).toEqual(['N__Make']);
  });

  it('without a schema nothing is checked or changed', async () => {
    const manifest = { N: { entry_block: 'A', blocks: { A: block('Model') } } };
    const end = await new Orchestrator(manifest, { workers: { Model: saying('```js\nx\n```') } }).execute(
      'N',
    );
    expect(end.payload[0]?.content).toBe('```js\nx\n```');
  });
});
