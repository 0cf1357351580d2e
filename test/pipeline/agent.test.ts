import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasker } from '../../src/kernel/mask.ts';
import type { RosterEntry } from '../../src/manifest/definition.ts';
import { Orchestrator } from '../../src/orchestrator/orchestrator.ts';
import type { OrchestratorServices } from '../../src/orchestrator/services.ts';
import { PipelineLab } from './lab.ts';

const ok = { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' };
const bad = { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' };

/** One block that the worker `Coder` runs. */
function oneBlock(entry: RosterEntry, block: object = {}) {
  const work = { worker: 'Coder', instructions: 'do it', transitions: [ok, bad], ...block };
  return { workers: { Coder: entry }, nodes: { Main: { entry_block: 'Work', blocks: { Work: work } } } };
}

describe('the agent worker', () => {
  let lab: PipelineLab;
  beforeEach(() => {
    lab = new PipelineLab();
  });
  afterEach(() => lab.remove());

  const script = (name: string, turns: object[]) => {
    const file = join(lab.dir, `${name}.script.json`);
    writeFileSync(file, JSON.stringify({ turns }));
    return ['--script', file];
  };
  const run = (document: object, more: Partial<OrchestratorServices> = {}, goal = 'a goal') =>
    lab.orchestrator(document, more).execute('Main', { goal });

  it('edits the folder itself; what really changed becomes segments, with what it used', async () => {
    const extraArgs = script('a', [
      [
        { write: { path: 'src/new.txt', content: 'new\n' } },
        { usage: { input: 10, output: 5, usd: 0.5 } },
        { say: 'I wrote it' },
      ],
    ]);
    const end = await run(oneBlock({ agent: 'scripted', extraArgs }));
    expect(end.status).toBe('completed');
    const byType = (type: string) => end.payload.filter((segment) => segment.type === type);
    expect(byType('CODE_OUTPUT')).toMatchObject([
      { content: { filePath: 'src/new.txt', fileContent: 'new\n' } },
    ]);
    expect(byType('NEW_FILES_IDENTIFIED')).toMatchObject([{ content: ['src/new.txt'] }]);
    expect(byType('MODEL_OUTPUT')).toMatchObject([{ content: 'I wrote it' }]);
    expect(byType('AGENT_RUN')).toMatchObject([
      { content: { agent: 'scripted', ok: true, tokens: 15, usd: 0.5, code: 0 } },
    ]);
    expect(end.used).toMatchObject({ tokens: 15, usd: 0.5 });
  });

  it('the test-fix manifest runs with an agent by changing one name', async () => {
    const manifest = JSON.parse(
      readFileSync(new URL('../../workflows/test-fix.json', import.meta.url), 'utf8'),
    ) as { workers: { Coder: object } };
    const wrong = { write: { path: 'sum.cjs', content: 'module.exports = (a, b) => a - b;\n' } };
    const extraArgs = script('fix', [
      [wrong, { say: 'done' }],
      [{ edit: { path: 'sum.cjs', find: 'a - b', replace: 'a + b' } }, { say: 'fixed' }],
      [{ write: { path: 'README.md', content: 'It adds.\n' } }, { say: 'It adds now.' }],
    ]);
    writeFileSync(
      join(lab.dir, 'check.cjs'),
      "if (require('./sum.cjs')(2, 2) !== 4) throw new Error('two and two')",
    );
    const document = {
      ...manifest,
      workers: { Coder: { ...manifest.workers.Coder, agent: 'scripted', extraArgs } },
    };
    const orchestrator = lab.orchestrator(document, { commands: { test: [process.execPath, 'check.cjs'] } });
    const end = await orchestrator.execute('Feature_Implement', { goal: 'add numbers' });
    expect(end.status).toBe('completed');
    expect(end.trail.map(({ block, signal }) => `${block} ${signal.replace('SIGNAL:', '')}`)).toEqual([
      'Feature_Implement__GenerateCode SUCCESS',
      'Core_Validate__ValidateOutput SUCCESS',
      'Core_IO__WriteArtifacts SUCCESS',
      'Core_Validate__RunTests FAILURE',
      'Feature_Troubleshoot__FixCode SUCCESS',
      'Core_Validate__ValidateOutput SUCCESS',
      'Core_IO__WriteArtifacts SUCCESS',
      'Core_Validate__RunTests SUCCESS',
      'Core_Validate__InspectTests SUCCESS',
      'Feature_Implement__GenerateDocs SUCCESS',
      'Feature_Implement__CheckDocs SUCCESS',
      'Feature_Implement__WriteDocs SUCCESS',
      'Core_Validate__RunTests SUCCESS',
      'Core_Validate__InspectTests SUCCESS',
      'Feature_Implement__GenerateDocs LIMIT_REACHED',
      'Feature_Implement__CheckDocs NO_CHANGE',
    ]);
    expect(readFileSync(join(lab.dir, 'README.md'), 'utf8')).toBe('It adds.\n');
  });

  it('one that only reads answers with what its block asks for, and is told how', async () => {
    const segment = { type: 'NEW_FILES_IDENTIFIED', content: ['a.txt'] };
    const extraArgs = script('plan', [
      { when: 'Name the files in a segment', steps: [{ say: JSON.stringify({ segments: [segment] }) }] },
      { steps: [{ say: 'nobody told me how' }] },
    ]);
    const format = { answerFormat: 'Name the files in a segment.' };
    const end = await run(oneBlock({ agent: 'scripted', permissions: 'read', extraArgs }, format));
    expect(end.payload.filter(({ type }) => type === segment.type)).toMatchObject([segment]);
    const edits = await run(oneBlock({ agent: 'scripted', extraArgs }, format));
    expect(edits.payload.filter(({ type }) => type === segment.type)).toEqual([]);
  });

  it('continues its own conversation in the next block, unless it is told to start a new one', async () => {
    const extraArgs = script('talk', [[{ say: 'first turn' }], [{ say: 'second turn' }]]);
    const two = (entry: RosterEntry) => ({
      workers: { Coder: entry },
      nodes: {
        Main: {
          entry_block: 'One',
          blocks: {
            One: { worker: 'Coder', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Two' }] },
            Two: { worker: 'Coder', transitions: [ok] },
          },
        },
      },
    });
    const said = (payload: readonly { type: string; content: unknown }[]) =>
      payload.flatMap(({ type, content }) => (type === 'MODEL_OUTPUT' ? [content] : []));
    expect(said((await run(two({ agent: 'scripted', extraArgs }))).payload)).toEqual([
      'first turn',
      'second turn',
    ]);
    expect(said((await run(two({ agent: 'scripted', extraArgs, conversation: 'fresh' }))).payload)).toEqual([
      'first turn',
      'first turn',
    ]);
  });

  it('on a spent quota the next agent takes over in the same step', async () => {
    lab.adapters.register(
      'other',
      class extends (await import('./lab.ts')).NodeAgent {
        override getLaunchConfig() {
          return { command: process.execPath, args: ['-e', "console.log('the other one did it')"] };
        }
      },
    );
    const extraArgs = script('quota', [[{ quota: { inMs: 3_600_000 } }]]);
    const end = await run({
      ...oneBlock({ agents: ['scripted', 'other'], extraArgs }, { limits: { visits: 1 } }),
    });
    expect(end.status).toBe('completed');
    expect(end.trail).toHaveLength(1);
    expect(end.payload.find(({ type }) => type === 'MODEL_OUTPUT')?.content).toContain(
      'the other one did it',
    );
  });

  it('when all are blocked the session parks until the earliest reset, without a counted visit, and continues', async () => {
    const reset = Date.now() + 3_600_000;
    const later = script('later', [[{ quota: { resetAt: reset } }]]);
    let now = Date.now();
    const clock = { now: () => now, elapsed: () => performance.now() };
    const orchestrator = lab.orchestrator(
      oneBlock({ agent: 'scripted', extraArgs: later }, { limits: { visits: 1 } }),
      { clock },
    );
    const parked = await orchestrator.execute('Main');
    expect([parked.status, parked.parkedUntil]).toEqual(['parked', reset]);
    expect(parked.trail).toEqual([]);
    now = reset + 1;
    script('later', [[{ say: 'back again' }]]);
    expect((await orchestrator.resume()).status).toBe('completed');
  });

  it('without a reset time the pauses grow; an outage is waited for only so often', async () => {
    const extraArgs = script('down', [[{ fail: { kind: 'overloaded', message: 'busy' } }]]);
    let now = Date.now();
    const clock = { now: () => now, elapsed: () => performance.now() };
    const orchestrator = lab.orchestrator(oneBlock({ agent: 'scripted', extraArgs }), { clock });
    const pauses: number[] = [];
    let end = await orchestrator.execute('Main');
    expect(end.parkedCause).toBe('outage');
    while (end.status === 'parked') {
      pauses.push((end.parkedUntil ?? 0) - now);
      now = (end.parkedUntil ?? 0) + 1;
      end = await orchestrator.resume();
    }
    expect(pauses.map((ms) => ms / 1000)).toEqual([30, 60, 120, 240, 480, 960]);
    expect(end.status).toBe('halted');
  });

  it('a blocked tool is never reported as success', async () => {
    const extraArgs = script('denied', [
      [{ deny: { tool: 'write', reason: 'not permitted' } }, { say: 'All done!' }],
    ]);
    const end = await run(oneBlock({ agent: 'scripted', extraArgs }));
    expect(end.status).toBe('halted');
    const problem = end.payload.find(({ type }) => type === 'ERROR')?.content;
    expect(problem).toContain('It was not allowed to use write');
  });

  it('a crash, a wrong exit and a login that is missing fail with what the agent said', async () => {
    for (const [step, expected] of [
      [{ crash: 'SIGKILL' }, /crash/],
      [{ fail: { exitCode: 3, message: 'I give up' } }, /I give up/],
      [{ auth: 'Please log in.' }, /auth.*Please log in/],
    ] as const) {
      const end = await run(oneBlock({ agent: 'scripted', extraArgs: script('x', [[{ say: 'hm' }, step]]) }));
      expect(end.status).toBe('halted');
      expect(end.payload.find(({ type }) => type === 'ERROR')?.content).toMatch(expected);
    }
  });

  it('an agent that says nothing for too long is ended', async () => {
    const extraArgs = script('hang', [[{ hang: true }]]);
    const end = await run(oneBlock({ agent: 'scripted', extraArgs, silenceMinutes: 0.005 }));
    expect(end.payload.find(({ type }) => type === 'ERROR')?.content).toMatch(/without a word/);
  });

  it('a secret that it prints is in no event, no segment and no file of ours', async () => {
    const secret = 'hunter2-very-secret';
    const extraArgs = script('leak', [
      [{ say: `the key is ${secret}` }, { write: { path: 'leak.txt', content: 'x' } }],
    ]);
    const end = await run(oneBlock({ agent: 'scripted', extraArgs }), { masker: createMasker([secret]) });
    expect(end.status).toBe('completed');
    expect(JSON.stringify(lab.events)).not.toContain(secret);
    const folder = join(lab.dir, '.loopwright');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(secret);
  });

  it('a prompt of 200 KB reaches the agent through a file inside the folder, which is gone afterwards', async () => {
    const echo = [[{ say: 'read it' }]];
    const end = await run(
      oneBlock(
        { agent: 'scripted', extraArgs: script('long', echo) },
        { instructions: `-start ${'x'.repeat(200_000)}` },
      ),
    );
    expect(end.status).toBe('completed');
    expect(
      existsSync(join(lab.dir, '.loopwright', 'prompts')) &&
        readdirSync(join(lab.dir, '.loopwright', 'prompts')),
    ).toEqual([]);
  });

  it('what the roster says wrong is found before anything starts; permissions "all" is pointed out', () => {
    const make = (entry: object) => new Orchestrator(oneBlock(entry), lab.services());
    expect(() => make({ agent: 'cluade' })).toThrow(/Did you mean "claude"/);
    expect(() => make({ agent: 'codex', maxTurns: 3 })).toThrow(/codex/);
    expect(() => make({ agent: 'scripted', mode: 'loud' })).toThrow(/"mode"/);
    expect(make({ agent: 'scripted', permissions: 'all' }).warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('permissions "all"'),
    ]);
  });

  it('any block can run any adapter: the worker "agent" with its parameters', async () => {
    const extraArgs = script('any', [[{ say: 'hello' }]]);
    const end = await run({
      nodes: {
        Main: {
          entry_block: 'Work',
          blocks: { Work: { worker: 'agent', with: { agent: 'scripted', extraArgs }, transitions: [ok] } },
        },
      },
    });
    expect(end.status).toBe('completed');
  });
});
