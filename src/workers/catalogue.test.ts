import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { internalWorkers } from './catalogue.ts';
import { fromRecord, layered } from './registry.ts';
import { contextFor, fakeProcesses, recordedRun, servicesFor } from './testing.ts';
import { withRoster, workersFor } from './workers-for.ts';

const five = ['TestRunner', 'FileSystemWriter', 'UpdateChangePlan', 'RunLinter', 'RunBuilder'].map(
  (name) => `Internal:${name}`,
);

const OF_TASKS = [
  'CheckCommands',
  'CheckExpectedFiles',
  'Verify',
  'InspectTests',
  'ConfirmNoChange',
  'AllowPaths',
  'DecidePaths',
  'DiscardGenerated',
  'DiagnoseFailure',
  'Deliver',
  'RecordOutcome',
  'KeepFindings',
];

describe('the catalogue', () => {
  it('WRK-01 offers the five internal workers, which need no model', async () => {
    const workers = internalWorkers(servicesFor(fakeProcesses()));
    const others = ['ValidateOutput', 'CheckDocs', 'Command', 'AskHuman', 'RunStage', ...OF_TASKS].map(
      (name) => `Internal:${name}`,
    );
    expect([...(workers.names?.() ?? [])].sort()).toEqual([...five, ...others, 'agent'].sort());
    for (const name of five) {
      const result = await workers.get(name)?.run(contextFor({ worktree: '/w' }), recordedRun());
      expect({ name, signal: result?.signal }).toEqual({ name, signal: 'SIGNAL:SUCCESS' });
    }
  });

  it('only workers that start and write nothing in the tree and wait for nobody say that they only read', () => {
    const workers = internalWorkers(servicesFor());
    const reading = workers.names?.().filter((name) => workers.get(name)?.changesFiles === false);
    const names = [
      'CheckDocs',
      'CheckCommands',
      'CheckExpectedFiles',
      // What it starts runs in a folder of its own, never in the tree of the session.
      'InspectTests',
      'AllowPaths',
      'DiagnoseFailure',
      'RecordOutcome',
    ];
    expect(reading).toEqual(names.map((name) => `Internal:${name}`));
  });

  it('docs/manifest.md lists every worker with all its signals', () => {
    const page = readFileSync(new URL('../../docs/manifest.md', import.meta.url), 'utf8');
    const workers = internalWorkers(servicesFor());
    for (const name of OF_TASKS.map((each) => `Internal:${each}`)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
      const worker = workers.get(name);
      const signals = worker?.signals ?? worker?.signalsFor?.({ askPlan: true }) ?? [];
      expect(signals.length, name).toBeGreaterThan(0);
      const told = new Set(row.split(/[^A-Z_]+/));
      expect([name, signals.filter((signal) => !told.has(signal.replace('SIGNAL:', '')))]).toEqual([
        name,
        [],
      ]);
    }
  });

  it('WRK-01 every worker says which signals it can emit', () => {
    const workers = internalWorkers(servicesFor());
    for (const name of five) expect(workers.get(name)?.signals).toContain('SIGNAL:SUCCESS');
  });
});

describe('registries', () => {
  const answer = { signal: 'SIGNAL:A', new_payload: [] };

  it('take workers and plain functions', async () => {
    const registry = fromRecord({ A: () => answer, B: { signals: ['X'], run: async () => answer } });
    expect(await registry.get('A')?.run(contextFor(), recordedRun())).toBe(answer);
    expect(registry.get('B')?.signals).toEqual(['X']);
    expect(registry.get('toString')).toBeUndefined();
  });

  it('layer: the first that knows a name wins, names are joined where all have them', () => {
    const upper = fromRecord({ A: { run: async () => answer } });
    const lower = fromRecord({ A: { signals: ['lower'], run: async () => answer }, B: () => answer });
    expect(layered(upper, lower).get('A')?.signals).toBeUndefined();
    expect(layered(upper, lower).names?.()).toEqual(['A', 'B']);
    expect(layered(upper, { get: () => undefined })).not.toHaveProperty('names');
  });

  it('a registered worker wins over the roster, whose programs are workers too', async () => {
    const roster = {
      Coder: { command: ['node', 'agent.mjs'], persona: 'careful' },
      Mine: { command: ['x'] },
    };
    const { processes, requests } = fakeProcesses({ output: 'done' });
    const sources = { workers: { Mine: () => answer }, processes };
    const workers = withRoster(workersFor(sources), roster, sources);
    expect(workers.get('Coder')?.persona).toBe('careful');
    await workers.get('Coder')?.run(contextFor({ worktree: '/w' }), recordedRun());
    expect(requests[0]?.argv).toEqual(['node', 'agent.mjs']);
    expect(await workers.get('Mine')?.run(contextFor(), recordedRun())).toBe(answer);
    expect(workers.get('Internal:TestRunner')).toBeDefined();
    expect(workers.get('Nobody')).toBeUndefined();
  });
});
