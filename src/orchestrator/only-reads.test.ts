import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NodeDictionary } from '../manifest/definition.ts';
import type { Worker, WorkerFunction } from '../manifest/worker.ts';
import { keptFiles } from '../workspace/checkpoints/kept-files.ts';
import { CheckpointLab } from '../workspace/checkpoints/testing.ts';
import type { TreeCheckpoints } from '../workspace/checkpoints/tree-checkpoints.ts';
import { Orchestrator } from './orchestrator.ts';
import { answer, chain } from './testing.ts';

/** Whether a worker that says it only reads is believed, and what it costs when it lies. */
describe('a worker that changes no files', () => {
  let lab: CheckpointLab;
  let checkpoints: TreeCheckpoints;
  let looks: number[];
  beforeEach(() => {
    lab = new CheckpointLab();
    checkpoints = lab.open();
    looks = [];
  });
  afterEach(() => lab.dispose());

  const writing =
    (file: string): WorkerFunction =>
    (context) => {
      lab.work(file, 'x\n');
      return answer(context, 'SIGNAL:SUCCESS');
    };
  const reading = (run: WorkerFunction): Worker => ({
    changesFiles: false,
    run: async (context, step) => run(context, step),
  });
  const quiet: WorkerFunction = (context) => answer(context, 'SIGNAL:SUCCESS');

  async function run(manifest: NodeDictionary, workers: Record<string, Worker | WorkerFunction>) {
    const kept = keptFiles(checkpoints, () => Promise.resolve());
    const tree: typeof kept = {
      ...kept,
      save: (step, of) => {
        looks.push(step);
        return kept.save(step, of);
      },
    };
    return new Orchestrator(manifest, { workers, tree }).execute('Main');
  }
  const steps = async () => (await checkpoints.list()).map(({ step }) => step);

  it('is given no checkpoint of its own: going back to it finds the files of the step before', async () => {
    const workers = { A: writing('one'), B: reading(quiet), C: writing('two') };
    const end = await run(chain('A', 'B', 'C'), workers);
    expect(end.status).toBe('completed');
    expect(looks).toEqual([0, 1, 3]);
    expect(await steps()).toEqual([0, 1, 3]);
    const there = await checkpoints.at(2);
    expect(there?.step).toBe(1);
    await checkpoints.restore(there?.commit ?? '');
    expect([existsSync(join(lab.tree, 'one')), existsSync(join(lab.tree, 'two'))]).toEqual([true, false]);
  });

  it('that lies loses nothing: what it wrote is in the checkpoint of the next step', async () => {
    const workers = { A: writing('one'), B: reading(writing('lie')), C: quiet };
    await run(chain('A', 'B', 'C'), workers);
    expect(await steps()).toEqual([0, 1, 3]);
    const last = await checkpoints.at(3);
    expect(lab.filesOf(last?.commit ?? '')).toContain('lie');
    const { aside } = await checkpoints.restore((await checkpoints.at(2))?.commit ?? '');
    expect([existsSync(join(lab.tree, 'lie')), aside]).toEqual([false, undefined]);
    rmSync(join(lab.tree, 'one'));
    await checkpoints.restore(last?.commit ?? '');
    expect(lab.read('lie')).toBe('x\n');
  });

  it('is not believed where the session ends or halts', async () => {
    const halting: NodeDictionary = chain('A', 'B');
    const workers = { A: writing('one'), B: reading(writing('lie')) };
    await run(halting, workers);
    expect(await steps()).toEqual([0, 1, 2]);
    lab.dispose();
    lab = new CheckpointLab();
    checkpoints = lab.open();
    const main = halting.Main;
    if (!main) throw new Error('there is no node Main');
    const flagged = { on_signal: 'SIGNAL:SUCCESS', action: 'HALT_AND_FLAG' };
    const second = { ...main.blocks.B, transitions: [flagged] } as (typeof main.blocks)[string];
    const end = await run({ Main: { ...main, blocks: { ...main.blocks, B: second } } }, workers);
    expect(end.status).toBe('halted');
    expect(await steps()).toEqual([0, 1, 2]);
  });
});
