import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { createMasker } from '../kernel/mask.ts';
import type { TestResultSegment } from '../manifest/segment.ts';
import { isAlive } from '../process/identity.ts';
import type { WorkerServices } from './services.ts';
import { testRunner } from './test-runner.ts';
import { type ContextParts, contextFor, fakeProcesses, recordedRun, servicesFor } from './testing.ts';

const fake = (name: string) => fileURLToPath(new URL(`../../test/fake-agents/${name}.mjs`, import.meta.url));
const node = (name: string, ...args: string[]) => [process.execPath, fake(name), ...args];

let worktree: string;
beforeEach(async () => {
  worktree = await realpath(await mkdtemp(join(tmpdir(), 'lw-tests-')));
});
afterEach(() => rm(worktree, { recursive: true, force: true }));

function runTests(services: Partial<WorkerServices>, parts: ContextParts = {}, run = recordedRun()) {
  return testRunner(servicesFor(services)).run(contextFor({ worktree, ...parts }), run);
}

const withTest = (test: string | readonly string[]) => ({ commands: { test } });

describe('Internal:TestRunner', () => {
  it('WRK-02 answers with a signal and a payload and nothing else', async () => {
    const result = await runTests({ ...withTest('x'), ...fakeProcesses() });
    expect(Object.keys(result).sort()).toEqual(['new_payload', 'signal']);
  });

  it('WRK-03 works in the worktree', async () => {
    const { new_payload } = await runTests(withTest('pwd'));
    expect(new_payload.at(-1)?.content).toBe(`${worktree}\n`);
  });

  it('WRK-03 fails without a worktree and starts nothing', async () => {
    const { processes, requests } = fakeProcesses();
    const context = contextFor({ payload: [{ id: 'a', type: 'NOTE', content: 'kept' }] });
    const result = await testRunner(servicesFor({ processes })).run(context, recordedRun());
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ id: 'a' }, { type: 'ERROR' }] });
    expect(requests).toEqual([]);
  });

  it('WRK-05 starts the command once, in the worktree', async () => {
    const { processes, requests } = fakeProcesses();
    await runTests({ ...withTest('node t.js'), processes });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ argv: ['node', 't.js'], cwd: worktree, streams: 'merged' });
  });

  it('WRK-06 keeps both streams in one log, in the order of writing', async () => {
    const { new_payload } = await runTests(withTest(node('interleave', '3')));
    expect(new_payload.at(-1)?.content).toBe('0\n1\n2\n');
  });

  it('WRK-07 exit code 0 is a success with a PASS segment that holds the log', async () => {
    const result = await runTests(withTest(node('answer', 'all good')));
    expect(result.signal).toBe('SIGNAL:SUCCESS');
    expect(result.new_payload.at(-1)).toMatchObject({
      type: 'TEST_RESULT',
      outcome: 'PASS',
      content: 'all good',
    });
  });

  it('WRK-08 another exit code is a failure with the complete log', async () => {
    const log = 'x'.repeat(200_000);
    const script = 'process.stdout.write("x".repeat(200_000)); process.exitCode = 1';
    const result = await runTests(withTest([process.execPath, '-e', script]));
    expect(result.signal).toBe('SIGNAL:FAILURE');
    expect(result.new_payload.at(-1)).toMatchObject({ type: 'TEST_RESULT', outcome: 'FAIL' });
    expect(result.new_payload.at(-1)?.content === log).toBe(true);
  });

  it('WRK-09 a missing command is a failure that names it, the system error and what to do', async () => {
    const result = await runTests(withTest('no-such-binary --all'));
    expect(result.signal).toBe('SIGNAL:FAILURE');
    const segment = result.new_payload.at(-1);
    expect(segment).toMatchObject({ type: 'TEST_RESULT', outcome: 'FAIL' });
    expect(segment?.content).toMatch(/no-such-binary --all.*ENOENT/);
    expect(segment?.content).toContain('Next: install it in the project, or set commands.test');
  });

  it('WRK-09 so is one that is killed', async () => {
    const result = await runTests(withTest([process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")']));
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ outcome: 'FAIL' }] });
    expect(result.new_payload[0]?.content).toContain('was killed by SIGKILL');
  });

  it('WRK-09 so is one that takes too long, with what it said until then', async () => {
    const result = await runTests({
      ...withTest(['sh', '-c', 'echo ready; exec sleep 600']),
      timeoutMs: 1000,
    });
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ outcome: 'FAIL' }] });
    expect(result.new_payload[0]?.content).toMatch(/^ready\n.*time limit of 1 s/s);
  });

  it('WRK-09 so is one that cannot be run without a shell', async () => {
    const { processes, requests } = fakeProcesses();
    const result = await runTests({ ...withTest('a | b'), processes });
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ outcome: 'FAIL' }] });
    expect(result.new_payload[0]?.content).toContain('a pipe "|" is not supported');
    expect(requests).toEqual([]);
  });

  it('WRK-10 two runs at the same time do not mix their logs', async () => {
    const other = await mkdtemp(join(tmpdir(), 'lw-tests-'));
    const worker = testRunner(servicesFor(withTest(node('flood', '1'))));
    await writeFile(join(other, 'x'), '');
    const runIn = (folder: string) => worker.run(contextFor({ worktree: folder }), recordedRun());
    const pwd = testRunner(servicesFor(withTest('pwd')));
    const [a, b, c] = await Promise.all([
      runIn(worktree),
      runIn(other),
      pwd.run(contextFor({ worktree: other }), recordedRun()),
    ]);
    expect(a.new_payload[0]?.content).toBe(b.new_payload[0]?.content);
    expect(c.new_payload[0]?.content).toBe(`${await realpath(other)}\n`);
    await rm(other, { recursive: true });
  });

  it('TFX-01 a test result is a segment with the raw output and an outcome', async () => {
    const { new_payload } = await runTests({
      ...withTest('x'),
      ...fakeProcesses({ code: 1, output: 'E-123' }),
    });
    const segment: unknown = new_payload[0];
    const expected: Omit<TestResultSegment, 'id'> = {
      type: 'TEST_RESULT',
      content: 'E-123',
      outcome: 'FAIL',
    };
    expect(segment).toMatchObject(expected);
    expectTypeOf<TestResultSegment['outcome']>().toEqualTypeOf<'PASS' | 'FAIL'>();
  });

  it('notes its process so that another owner could end it, and shows its output live', async () => {
    const run = recordedRun();
    await runTests(withTest(node('answer', 'live')), {}, run);
    expect(run.notes).toEqual([
      {
        type: 'process',
        process: { pid: expect.any(Number), startTime: expect.any(String), host: expect.any(String) },
      },
    ]);
    expect(run.text()).toBe('live');
  });

  it('returns when it is cancelled, after its processes are gone', async () => {
    const run = recordedRun({ onOutput: (text) => text.includes('ready') && run.abort() });
    const result = await runTests(withTest(node('hang')), {}, run);
    expect(result.signal).toBe('SIGNAL:FAILURE');
    const [note] = run.notes;
    expect(note?.type === 'process' && isAlive(note.process)).toBe(false);
  });

  it('masks secrets in segment and live output', async () => {
    const run = recordedRun();
    const masker = createMasker(['p4ssw0rd-p4ssw0rd']);
    const result = await runTests({ ...withTest('echo p4ssw0rd-p4ssw0rd'), masker }, {}, run);
    expect(result.new_payload[0]?.content).toBe('***\n');
    expect(run.text()).toBe('***\n');
  });
});

describe('the command of a project', () => {
  const used = async (services: Partial<WorkerServices>, parts: ContextParts = {}) => {
    const { processes, requests } = fakeProcesses();
    await runTests({ ...services, processes }, parts);
    return requests[0]?.argv;
  };

  it('WRK-04 is the configured one first, then the node’s, then the project’s, then the example', async () => {
    const memory = { commands: { test: ['from', 'memory'] } };
    expect(await used({})).toEqual(['vitest', 'run', '--reporter=verbose']);
    await writeFile(join(worktree, 'package.json'), JSON.stringify({ scripts: { test: 'node --test' } }));
    expect(await used({})).toEqual(['npm', 'run', 'test']);
    expect(await used({}, { memory })).toEqual(['from', 'memory']);
    expect(await used(withTest('node t.js'), { memory })).toEqual(['node', 't.js']);
  });

  it('WRK-04 finds the tools of the worktree before those of the machine', async () => {
    const tools = join(worktree, 'node_modules', '.bin');
    await mkdir(tools, { recursive: true });
    await writeFile(join(tools, 'vitest'), '#!/bin/sh\necho "own $*"\n');
    await chmod(join(tools, 'vitest'), 0o755);
    const result = await runTests({});
    expect(result.new_payload[0]?.content).toBe('own run --reporter=verbose\n');
  });

  it('WRK-04 a setting of the wrong shape is named', async () => {
    const result = await runTests({}, { memory: { commands: { test: 7 } } });
    expect(result.new_payload[0]?.content).toContain(
      'commands.test must be a text or a list of texts, not 7',
    );
  });

  it('CMD-08 takes leading assignments as environment', async () => {
    const result = await runTests(withTest(`A=1 ${process.execPath} -p process.env.A`));
    expect(result.new_payload[0]?.content).toBe('1\n');
  });
});
