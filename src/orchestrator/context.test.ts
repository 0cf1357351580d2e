import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderPrompt } from '../workers/agent/prompt.ts';
import { Orchestrator } from './orchestrator.ts';
import { answer, block, chain, emitting, pathOf, recording } from './testing.ts';

describe('calls', () => {
  const nested = (flags: { B?: boolean; C?: boolean } = {}) => ({
    A: {
      entry_block: 'A1',
      static_memory: { a: 1, same: 'A' },
      blocks: { A1: block('W', { SUCCESS: 'CALL:B' }), A2: block('W') },
    },
    B: {
      entry_block: 'B1',
      context_inheritance: flags.B ?? true,
      static_memory: { b: 2, same: 'B' },
      blocks: { B1: block('W', { SUCCESS: 'CALL:C' }), B2: block('W', { SUCCESS: 'RETURN' }) },
    },
    C: {
      entry_block: 'C1',
      context_inheritance: flags.C ?? true,
      static_memory: { c: 3 },
      blocks: { C1: block('Deep', { SUCCESS: 'RETURN' }) },
    },
  });

  it('ENG-27 ENG-30 nest to any depth and unwind last in, first out', async () => {
    const { worker, contexts } = recording();
    const orchestrator = new Orchestrator(nested(), {
      workers: { W: emitting('SUCCESS'), Deep: worker },
    });
    const end = await orchestrator.execute('A');
    expect(pathOf(end.trail)).toEqual(['A__A1', 'B__B1', 'C__C1', 'B__B2', 'A__A2']);
    expect(end.returnStack).toEqual([]);
    expect(contexts[0]?.system_metadata.call_depth).toBe(2);
  });

  it.each([
    [{}, { a: 1, b: 2, c: 3, same: 'B' }],
    [{ B: false }, { b: 2, c: 3, same: 'B' }],
    [{ C: false }, { c: 3 }],
  ])('ENG-15 ENG-16 with flags %o the called node sees %o', async (flags, memory) => {
    const { worker, contexts } = recording();
    const orchestrator = new Orchestrator(nested(flags), {
      workers: { W: emitting('SUCCESS'), Deep: worker },
    });
    await orchestrator.execute('A');
    expect(contexts[0]?.inherited_context).toEqual(memory);
  });

  it('ENG-16 static memory that a worker echoed back does not leak into the called node', async () => {
    const { worker, contexts } = recording();
    const manifest = {
      Parent: {
        entry_block: 'Start',
        static_memory: { parent_rule: 'the rule of the parent' },
        blocks: {
          Start: block(
            'Echo',
            { SUCCESS: 'CALL:Child' },
            { payload_merge_strategy: ['MERGE:STATIC_MEMORY:parent_rule'] },
          ),
        },
      },
      Child: {
        entry_block: 'Only',
        context_inheritance: false,
        static_memory: { child_rule: 'the rule of the child' },
        blocks: { Only: block('W', { SUCCESS: 'RETURN' }) },
      },
    };
    const echoed: unknown[] = [];
    const orchestrator = new Orchestrator(manifest, {
      workers: {
        Echo: (context) => {
          echoed.push(...context.execution_payload);
          return answer(context, 'SIGNAL:SUCCESS');
        },
        W: worker,
      },
    });
    await orchestrator.execute('Parent');
    expect(JSON.stringify(echoed)).toContain('the rule of the parent');
    const seen = JSON.stringify(contexts[0]?.flatten());
    expect(seen).toContain('the rule of the child');
    expect(seen).not.toContain('the rule of the parent');
  });

  it('ACT-05 the return address is the next block in order; the last block returns from its own node', async () => {
    const manifest = {
      Top: { entry_block: 'T1', blocks: { T1: block('W', { SUCCESS: 'CALL:Mid' }), T2: block('W') } },
      Mid: { entry_block: 'M1', blocks: { M1: block('W', { SUCCESS: 'CALL:Low' }) } },
      Low: { entry_block: 'L1', blocks: { L1: block('W', { SUCCESS: 'RETURN' }) } },
    };
    const end = await new Orchestrator(manifest, { workers: { W: emitting('SUCCESS') } }).execute('Top');
    expect(pathOf(end.trail)).toEqual(['Top__T1', 'Mid__M1', 'Low__L1', 'Top__T2']);
  });

  it('ENG-30 ACT-05 ten thousand calls in tail position unwind, and inherit, without a deep JavaScript stack', async () => {
    const manifest = {
      nodes: {
        N: {
          entry_block: 'Dive',
          static_memory: { rule: 'R' },
          blocks: { Dive: block('Down', { DEEPER: 'CALL:N', ENOUGH: 'RETURN' }) },
        },
      },
      budget: { steps: 20_000 },
    };
    let calls = 0;
    const orchestrator = new Orchestrator(manifest, {
      workers: { Down: (context) => answer(context, ++calls < 10_000 ? 'SIGNAL:DEEPER' : 'SIGNAL:ENOUGH') },
    });
    const end = await orchestrator.execute('N');
    expect(end).toMatchObject({ status: 'completed', returnStack: [], used: { steps: 10_000 } });
  });

  it('ENG-11 a block of another node is reached by its full id', async () => {
    const manifest = {
      Feature_Implement: {
        entry_block: 'Go',
        blocks: { Go: block('W', { SUCCESS: 'JUMP:Core_IO__WriteArtifacts' }) },
      },
      Core_IO: { entry_block: 'Other', blocks: { Other: block('W'), WriteArtifacts: block('W') } },
    };
    const end = await new Orchestrator(manifest, { workers: { W: emitting('SUCCESS') } }).execute(
      'Feature_Implement',
    );
    expect(pathOf(end.trail)).toEqual(['Feature_Implement__Go', 'Core_IO__WriteArtifacts']);
  });
});

describe('the five layers', () => {
  let tree: string;
  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'lw-context-'));
  });
  afterEach(() => rmSync(tree, { recursive: true }));

  const one = (more: object, memory: object = {}) => ({
    nodes: { N: { entry_block: 'A', static_memory: memory, blocks: { A: block('W', {}, more) } } },
    workers: { W: { persona: 'senior reviewer' } },
  });

  const contextOf = async (manifest: object, services: object = {}) => {
    const { worker, contexts } = recording();
    const orchestrator = new Orchestrator(manifest as never, {
      workers: { W: worker },
      worktreePath: tree,
      ...services,
    });
    await orchestrator.execute('N', {
      goal: 'a goal',
      payload: [{ id: 'p', type: 'OLD', content: 'history' }],
    });
    return contexts[0]!;
  };

  it('ENG-12 ENG-14 all five are there with their content, and flatten in their order', async () => {
    writeFileSync(join(tree, 'a.ts'), 'x');
    const context = await contextOf(one({ instructions: 'use tabs', artifacts: ['a.ts'] }, { rule: 'R' }));
    const metadata = { block_id: 'N__A', node_id: 'N', step: 1, goal: 'a goal', worktree_path: tree };
    expect(context).toMatchObject({
      execution_payload: [{ type: 'OLD', content: 'history' }],
      contract: { instructions: 'use tabs', persona: 'senior reviewer', with: {} },
      inherited_context: { rule: 'R' },
      primary_artifact: [{ path: 'a.ts', exists: true, content: 'x' }],
      system_metadata: metadata,
    });
    expect(context.flatten().map(({ type, content }) => [type, content])).toEqual([
      ['OLD', 'history'],
      ['INSTRUCTIONS', 'use tabs'],
      ['PERSONA', 'senior reviewer'],
      ['INHERITED_CONTEXT', 'R'],
      ['PRIMARY_ARTIFACT', { path: 'a.ts', exists: true, content: 'x' }],
      ['SYSTEM_METADATA', expect.objectContaining(metadata)],
    ]);
  });

  it.each([
    ['an agent', 'edits'],
    ['a model', 'answers'],
  ] as const)('ENG-12 the prompt of %s has all five in their order, and the goal', async (_who, way) => {
    writeFileSync(join(tree, 'a.ts'), 'content of a');
    const prompt = renderPrompt(
      await contextOf(one({ instructions: 'use tabs', artifacts: ['a.ts'] }, { rule: 'R' })),
      { way },
    );
    const order = [
      /# OLD\n<data \w+>\nhistory/,
      /# Your task\nuse tabs/,
      /senior reviewer/,
      /- rule: R/,
      /# File a.ts\n<data \w+>\ncontent of a/,
      /# System\n- worktree_path: .*\n- block_id: N__A\n- node_id: N\n/,
      /- goal: <data \w+>\na goal/,
    ];
    const places = order.map((text) => prompt.search(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('ENG-17 target files come from the block, else the node, else the change plan, else none', async () => {
    writeFileSync(join(tree, 'a.ts'), 'A');
    writeFileSync(join(tree, 'b.ts'), 'B');
    const plan = { plannedFiles: () => ['gone.ts'] };
    const a = { path: 'a.ts', exists: true, content: 'A' };
    const b = { path: 'b.ts', exists: true, content: 'B' };
    const memory = { target_files: ['b.ts'] };
    expect((await contextOf(one({ artifacts: ['a.ts'] }, memory), plan)).primary_artifact).toEqual([a]);
    expect((await contextOf(one({}, memory), plan)).primary_artifact).toEqual([b]);
    expect((await contextOf(one({}), plan)).primary_artifact).toEqual([{ path: 'gone.ts', exists: false }]);
    expect((await contextOf(one({}))).primary_artifact).toEqual([]);
    expect((await contextOf(one({}), { artifacts: () => ['b.ts'] })).primary_artifact).toEqual([b]);
  });

  it('ENG-17 only files inside the worktree are read, and large ones are cut', async () => {
    symlinkSync('/etc/hostname', join(tree, 'link'));
    writeFileSync(join(tree, 'big'), 'y'.repeat(300 * 1024));
    const paths = ['../../etc/hostname', '/etc/hostname', 'link', 'big'];
    const [up, absolute, link, big] = (await contextOf(one({ artifacts: paths }))).primary_artifact;
    expect([up, absolute, link].map((file) => file?.exists)).toEqual([false, false, false]);
    expect(big).toMatchObject({ exists: true, truncated: true });
    expect(big?.content?.endsWith('[truncated]')).toBe(true);
  });

  it('ENG-17 what cannot be read is reported as such and does not stop the session', async () => {
    mkdirSync(join(tree, 'folder'));
    const [folder] = (await contextOf(one({ artifacts: ['folder'] }))).primary_artifact;
    expect(folder).toEqual({ path: 'folder', exists: true, unreadable: 'it is not a regular file' });
  });

  it('ENG-20 a folder that is gone takes the fallback of the block, like any other failure', async () => {
    const manifest = {
      N: {
        entry_block: 'A',
        blocks: { A: block('W', { FAIL_DEFAULT: 'JUMP:B' }, { artifacts: ['a.ts'] }), B: block('W') },
      },
    };
    const orchestrator = new Orchestrator(manifest, {
      workers: { W: emitting('SUCCESS') },
      worktreePath: join(tree, 'gone'),
    });
    const end = await orchestrator.execute('N');
    expect(end.payload[0]).toMatchObject({
      type: 'ERROR',
      content: expect.stringContaining('folder of this session cannot be read'),
    });
    expect(pathOf(end.trail)).toEqual(['N__A', 'N__B']);
  });

  it('ENG-13 a key that every object has is not static memory', async () => {
    const context = await contextOf(one({ payload_merge_strategy: ['MERGE:STATIC_MEMORY:constructor'] }));
    expect(context.execution_payload.map((segment) => segment.type)).toEqual(['OLD']);
  });

  it('ENG-18 system metadata is named in snake case and cannot be altered', async () => {
    const seen: unknown[] = [];
    const orchestrator = new Orchestrator(chain('A', 'B'), {
      worktreePath: tree,
      workers: {
        A: (context) => {
          expect(() => Object.assign(context.system_metadata, { worktree_path: '/x' })).toThrow();
          return answer(context, 'SIGNAL:SUCCESS');
        },
        B: (context) => {
          seen.push(context.system_metadata);
          return answer(context, 'SIGNAL:SUCCESS');
        },
      },
    });
    const { sessionId } = await orchestrator.execute('Main');
    expect(seen).toEqual([
      {
        worktree_path: tree,
        block_id: 'Main__B',
        node_id: 'Main',
        session_id: sessionId,
        step: 2,
        epoch: 1,
        call_depth: 0,
        goal: 'Main',
      },
    ]);
  });

  it('fills placeholders in instructions and parameters, and asks for missing inputs before it starts', async () => {
    const { worker, contexts } = recording();
    const manifest = one({
      instructions: '{{goal}} in {{inputs.lang}}',
      with: { deep: ['{{config.style}}'] },
    });
    const orchestrator = new Orchestrator(manifest as never, {
      workers: { W: worker },
      config: { style: 'tabs' },
    });
    await expect(orchestrator.execute('N', { goal: 'a parser' })).rejects.toThrow(
      'inputs that were not given: lang',
    );
    await orchestrator.execute('N', { goal: 'a parser', inputs: { lang: 'Zig' } });
    expect(contexts[0]?.contract).toMatchObject({
      instructions: 'a parser in Zig',
      with: { deep: ['tabs'] },
    });
  });
});
