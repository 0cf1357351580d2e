import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as library from '../src/index.ts';
import { Emitter } from '../src/kernel/events.ts';
import { WorkflowExecutor } from '../src/orchestrator/engine/executor.ts';
import { prepareExecutor, resolve } from '../src/orchestrator/engine/prepare.ts';
import { SessionManager } from '../src/orchestrator/state/session-manager.ts';
import { chain, emitting } from '../src/orchestrator/testing.ts';
import { fromRecord } from '../src/workers/registry.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const files = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).filter(
    (entry) => !/\.test\.ts$|^testing\.ts$/.test(entry.name),
  );

describe('structure', () => {
  it('STR-01 persistence, execution and public face are three parts; the executor runs on memory alone', async () => {
    expect(new Set([library.SessionManager, library.WorkflowExecutor, library.Orchestrator]).size).toBe(3);
    const services = { workers: {} };
    const workers = fromRecord({ A: emitting('SUCCESS'), B: emitting('SUCCESS') });
    const { manifest } = resolve(chain('A', 'B'), services, workers);
    const session = SessionManager.inMemory().create({
      manifest,
      start: 'Main__A',
      goal: 'g',
      inputs: {},
      payload: [],
      budget: {},
      stepping: false,
    });
    const executor = new WorkflowExecutor(
      session,
      prepareExecutor(manifest, services, workers, new Emitter()),
    );
    await expect(executor.run()).resolves.toMatchObject({ status: 'completed', step: 2 });
  });

  it('STR-02 STR-03 the orchestrator folder has engine and state, and above them only the face and its types', () => {
    const entries = files('src/orchestrator');
    expect(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)).toEqual([
      'control',
      'engine',
      'state',
    ]);
    expect(entries.filter((entry) => entry.isFile()).map((entry) => entry.name)).toEqual([
      'events.ts',
      'final-state.ts',
      'index.ts',
      'orchestrator.ts',
      'services.ts',
    ]);
  });

  it('STR-05 the language is TypeScript, strict', () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
    expect(compilerOptions).toMatchObject({
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
    });
    expect(
      readdirSync(join(ROOT, 'src'), { recursive: true }).filter((name) => /\.m?js$/.test(String(name))),
    ).toEqual([]);
  });

  it('STR-06 actions and workers import nothing of the engine', () => {
    const workers = readdirSync(join(ROOT, 'src/workers'), { recursive: true }).map((name) =>
      join('src/workers', String(name)),
    );
    for (const file of [
      // Support of their tests runs whole flows; it is not part of the package.
      ...workers.filter((name) => name.endsWith('.ts') && !/(?:\.test|testing)\.ts$/.test(name)),
      'src/orchestrator/engine/actions.ts',
    ]) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      expect(text, file).not.toMatch(/from '.*(orchestrator\/|\/executor|\/session)/);
    }
  });
});
