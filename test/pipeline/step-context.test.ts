import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasker } from '../../src/kernel/mask.ts';
import type { WorkerContext } from '../../src/manifest/worker.ts';
import { contextOfNext, contextOfStep } from '../../src/project/sessions/context.ts';
import { keptFiles } from '../../src/workspace/checkpoints/kept-files.ts';
import { TreeCheckpoints } from '../../src/workspace/checkpoints/tree-checkpoints.ts';
import { PipelineLab } from './lab.ts';

const next = (to: string) => ({ on_signal: 'SIGNAL:SUCCESS', action: to });
const MANIFEST = {
  workers: { Agent: { agent: 'node', persona: 'You are careful.', extraArgs: ['-e', "console.log('ok')"] } },
  nodes: {
    Outer: {
      entry_block: 'First',
      static_memory: { rule: 'no tabs' },
      blocks: {
        First: {
          worker: 'Internal:Command',
          with: { argv: ['node', '-e', "require('fs').writeFileSync('a.txt', 'two\\n')"] },
          transitions: [next('CALL:Inner')],
        },
        Last: {
          worker: 'Internal:AskHuman',
          with: { question: 'Good?' },
          artifacts: ['a.txt'],
          transitions: [next('RETURN')],
        },
      },
    },
    Inner: {
      entry_block: 'Work',
      context_inheritance: true,
      blocks: {
        Work: {
          worker: 'Agent',
          instructions: 'Reach {{goal}} in {{config.style}}.',
          artifacts: ['a.txt', 'missing.txt'],
          transitions: [next('RETURN')],
        },
      },
    },
  },
};

describe('the context of a step', () => {
  let lab: PipelineLab;
  beforeEach(() => {
    lab = new PipelineLab();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: lab.dir, stdio: 'ignore' });
    writeFileSync(join(lab.dir, 'a.txt'), 'one\n');
    writeFileSync(join(lab.dir, '.gitignore'), '.loopwright\n');
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'first');
  });
  afterEach(() => lab.remove());

  /** Runs until the question, and remembers what the workers were given. */
  async function ran(more: object = {}) {
    const id = lab.sessions.newId();
    const orchestrator = lab.orchestrator(MANIFEST, {
      tree: keptFiles(new TreeCheckpoints(lab.dir, id), async () => undefined),
      config: { style: 'verse', unused: 1 },
      masker: createMasker(['sesame-open']),
      ...more,
    });
    const given: WorkerContext[] = [];
    orchestrator.events.subscribe((event) => {
      if (event.type === 'step.started') given.push(event.context);
    });
    const end = await orchestrator.execute('Outer', { goal: 'sesame-open', sessionId: id });
    expect(end.status).toBe('halted');
    return { id, given };
  }

  it('is what the worker got, all five layers, and the prompt as it was sent', async () => {
    const { id, given } = await ran();
    // A later edit changes nothing of what was.
    writeFileSync(join(lab.dir, 'a.txt'), 'three\n');
    for (const [index, context] of given.slice(0, 2).entries()) {
      const { layers } = await contextOfStep(lab.sessions, id, index + 1);
      for (const [name, layer] of Object.entries(layers))
        expect([name, layer]).toEqual([
          name,
          { certainty: 'exact', value: context[name as keyof typeof layers] },
        ]);
    }
    const { layers, prompts, block } = await contextOfStep(lab.sessions, id, 2);
    expect(block).toBe('Inner__Work');
    expect(layers.primary_artifact.value).toEqual([
      { path: 'a.txt', exists: true, content: 'two\n' },
      { path: 'missing.txt', exists: false },
    ]);
    expect(layers.inherited_context.value).toEqual({ rule: 'no tabs' });
    expect(layers.contract.value.instructions).toBe('Reach sesame-open in verse.');
    expect(prompts).toMatchObject([
      { task: 'Work', text: expect.stringMatching(/# File a\.txt\n<data \w+>\ntwo/) },
    ]);
    expect(prompts[0]?.text).not.toContain('sesame-open');
  });

  it('says where a layer is only reconstructed', async () => {
    const { id } = await ran({ tree: undefined });
    const { layers } = await contextOfStep(lab.sessions, id, 2);
    expect(layers.primary_artifact).toMatchObject({
      certainty: 'reconstructed',
      why: expect.stringContaining('not kept'),
    });
    expect(layers.execution_payload.certainty).toBe('exact');
  });

  it('of the next block is what that would be given now', async () => {
    const { id } = await ran();
    writeFileSync(join(lab.dir, 'a.txt'), 'by hand\n');
    const { layers, block, step } = await contextOfNext(lab.sessions, id);
    expect([block, step]).toEqual(['Outer__Last', 3]);
    expect(layers.primary_artifact).toEqual({
      certainty: 'exact',
      value: [{ path: 'a.txt', exists: true, content: 'by hand\n' }],
    });
    expect(layers.contract.value.with).toEqual({ question: 'Good?' });
    await expect(contextOfStep(lab.sessions, id, 9)).rejects.toThrow('has no step 9');
  });
});
