import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { defineWorkflow } from '../../manifest/define-workflow.ts';
import type { WorkerFunction } from '../../manifest/worker.ts';
import { pass } from '../../workers/answer.ts';
import { openProject } from '../project.ts';

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'handle-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const workflow = defineWorkflow({
  nodes: {
    Main: {
      entry_block: 'Long',
      blocks: { Long: { worker: 'Long', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }] } },
    },
  },
});

/** Works until it is told to stop. */
const Long: WorkerFunction = (context, run) =>
  new Promise((resolve) => {
    run.cancel.addEventListener('abort', () => resolve(pass(context, run)));
  });

it('the signal that a run was started with interrupts the session in the middle of a step', async () => {
  const stop = new AbortController();
  const run = await openProject(folder()).run('wait', { workflow, workers: { Long }, cancel: stop.signal });
  for await (const { type } of run.events) if (type === 'step.started') stop.abort();
  const { status, halt } = await run.ended;
  expect([status, halt?.reason]).toEqual(['halted', 'interrupted']);
});

it('a runtime counts what it did in plain data, which JSON can hold', async () => {
  const dir = folder();
  mkdirSync(join(dir, '.loopwright'));
  writeFileSync(join(dir, '.loopwright/config.json'), '{"repository":{"mode":"direct"}}');
  const working = await openProject(dir).work({ once: true });
  expect(await working.ended).toEqual({});
});
