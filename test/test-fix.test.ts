import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  Orchestrator,
  type WorkerContext,
  type WorkerFunction,
  type WorkflowManifest,
} from '../src/index.ts';
import { answer, pathOf, recording } from '../src/orchestrator/testing.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest: WorkflowManifest = JSON.parse(readFileSync(join(ROOT, 'workflows/test-fix.json'), 'utf8'));

const GENERATE = 'Feature_Implement__GenerateCode';
const VALIDATE = 'Core_Validate__ValidateOutput';
const WRITE = 'Core_IO__WriteArtifacts';
const TEST = 'Core_Validate__RunTests';
const INSPECT = 'Core_Validate__InspectTests';
const FIX = 'Feature_Troubleshoot__FixCode';
const DOCS = 'Feature_Implement__GenerateDocs';
const CHECK_DOCS = 'Feature_Implement__CheckDocs';

describe('the test-fix manifest', () => {
  let tree: string;
  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'lw-test-fix-'));
  });
  afterEach(() => rmSync(tree, { recursive: true }));

  /** Writes `sum.js` with the given bodies, one per call. */
  const coder = (...bodies: string[]): WorkerFunction => {
    let call = 0;
    return (context, run) => {
      if (context.system_metadata.block_id === DOCS)
        return answer(context, 'SIGNAL:SUCCESS', run.segment('SUMMARY', 'done'));
      const fileContent = `module.exports = (a, b) => ${bodies[Math.min(call++, bodies.length - 1)]};\n`;
      return answer(
        context,
        'SIGNAL:SUCCESS',
        run.segment('CODE_OUTPUT', { filePath: 'sum.js', fileContent }),
      );
    };
  };

  const run = (worker: WorkerFunction) => {
    writeFileSync(
      join(tree, 'check.js'),
      "if (require('./sum.js')(2, 2) !== 4) throw new Error('E-123: two and two')",
    );
    const orchestrator = new Orchestrator(manifest, {
      workers: { Coder: worker },
      worktreePath: tree,
      commands: { test: [process.execPath, 'check.js'] },
    });
    return orchestrator.execute('Feature_Implement', { goal: 'add numbers' });
  };

  it('TFX-02 TFX-03 TFX-04 TFX-05 a first attempt that passes goes from block to block by JUMP', async () => {
    const end = await run(coder('a + b'));
    expect(end.status).toBe('completed');
    expect(end.trail.map(({ block, next }) => [block, next])).toEqual([
      [GENERATE, VALIDATE],
      [VALIDATE, WRITE],
      [WRITE, TEST],
      [TEST, INSPECT],
      [INSPECT, DOCS],
      [DOCS, CHECK_DOCS],
      [CHECK_DOCS, null],
    ]);
  });

  it('TFX-06 TFX-07 TFX-08 TFX-09 TFX-10 a failing test is fixed with its log, without a person', async () => {
    const { worker, contexts } = recording(coder('a - b', 'a + b'));
    const end = await run(worker);
    expect(pathOf(end.trail)).toEqual([
      GENERATE,
      VALIDATE,
      WRITE,
      TEST,
      FIX,
      VALIDATE,
      WRITE,
      TEST,
      INSPECT,
      DOCS,
      CHECK_DOCS,
    ]);
    expect(end.status).toBe('completed');
    const fix = contexts.find((context: WorkerContext) => context.system_metadata.block_id === FIX);
    const [first] = fix?.execution_payload ?? [];
    expect(first).toMatchObject({
      type: 'TEST_RESULT',
      outcome: 'FAIL',
      content: expect.stringContaining('E-123'),
    });
    expect(fix?.contract.instructions).toContain('add numbers');
    expect(readFileSync(join(tree, 'sum.js'), 'utf8')).toContain('a + b');
  });

  it('TFX-11 code that cannot be parsed goes back with its line, before anything is written', async () => {
    const seen: boolean[] = [];
    const inner = coder('a +', 'a + b');
    const { worker, contexts } = recording((context, run) => {
      seen.push(existsSync(join(tree, 'sum.js')));
      return inner(context, run);
    });
    const end = await run(worker);
    expect(pathOf(end.trail)).toEqual([
      GENERATE,
      VALIDATE,
      FIX,
      VALIDATE,
      WRITE,
      TEST,
      INSPECT,
      DOCS,
      CHECK_DOCS,
    ]);
    expect([end.status, ...seen]).toEqual(['completed', false, false, true]);
    const fix = contexts.find((context: WorkerContext) => context.system_metadata.block_id === FIX);
    expect(fix?.execution_payload.at(-1)).toMatchObject({
      type: 'VALIDATION_ERROR',
      content: expect.stringContaining('- sum.js:1: Unexpected token'),
    });
  });

  it('TFX-12 tests that never pass end in a halt with the reason, not in an endless loop', async () => {
    const end = await run(coder('a - b', 'a * b - 1', 'b - a', '7'));
    expect(end).toMatchObject({ status: 'halted', halt: { reason: 'limit' } });
    expect(end.trail.filter((entry) => entry.block === FIX && entry.ran)).toHaveLength(3);
  });
});
