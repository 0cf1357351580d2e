import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasker } from '../kernel/mask.ts';
import { linter } from './linter.ts';
import type { WorkerServices } from './services.ts';
import { contextFor, fakeProcesses, recordedRun, servicesFor } from './testing.ts';

const answer = fileURLToPath(new URL('../../test/fake-agents/answer.mjs', import.meta.url));
const says = (...args: string[]) => ({ commands: { lint: [process.execPath, answer, ...args] } });

let worktree: string;
beforeEach(async () => {
  worktree = await mkdtemp(join(tmpdir(), 'lw-lint-'));
});
afterEach(() => rm(worktree, { recursive: true, force: true }));

const lint = (services: Partial<WorkerServices>, run = recordedRun()) =>
  linter(servicesFor(services)).run(contextFor({ worktree }), run);

const findings = [{ filePath: 'a.ts', messages: [{ ruleId: 'no-var', line: 1 }] }];

describe('Internal:RunLinter', () => {
  it('WRK-25 runs the lint command with a JSON reporter in the worktree and collects both streams', async () => {
    const { processes, requests } = fakeProcesses();
    await lint({ processes });
    expect(requests).toMatchObject([
      { argv: ['eslint', '.', '--format=json'], cwd: worktree, streams: 'separate' },
    ]);
    const run = recordedRun();
    await lint(says('out', 'err', '1'), run);
    expect(run.text()).toContain('out');
    expect(run.text()).toContain('err');
  });

  it('WRK-26 exit code 0 is a success', async () => {
    expect(await lint(fakeProcesses({ output: '[]' }))).toEqual({
      signal: 'SIGNAL:SUCCESS',
      new_payload: [],
    });
  });

  it('WRK-27 another exit code is a failure with the parsed findings, whatever stands on standard error', async () => {
    const result = await lint(says(JSON.stringify(findings), 'Warning: [{"noise": true}]\n', '1'));
    expect(result.signal).toBe('SIGNAL:FAILURE');
    expect(result.new_payload).toMatchObject([{ type: 'LINT_RESULT' }]);
    expect(result.new_payload[0]?.content).toEqual(findings);
  });

  it('WRK-27 finds the JSON behind the line that a package manager prints', async () => {
    const result = await lint(
      says(`\n> pkg@1.0.0 lint\n> eslint .\n\n${JSON.stringify(findings)}\n`, '', '1'),
    );
    expect(result.new_payload[0]?.content).toEqual(findings);
  });

  it('masks secrets that an escape hid in the JSON', async () => {
    const escaped = '\\u0073\\u00333cr3t-value';
    const services = {
      ...says(`[{"message":"${escaped}"}]`, '', '1'),
      masker: createMasker(['s33cr3t-value']),
    };
    expect((await lint(services)).new_payload[0]?.content).toEqual([{ message: '***' }]);
  });

  it('WRK-27 output that is not JSON is kept as it is', async () => {
    const result = await lint(says('a.ts:1 no var', 'Oops: crashed', '2'));
    expect(result.signal).toBe('SIGNAL:FAILURE');
    expect(result.new_payload[0]?.content).toEqual({
      parsed: null,
      raw: 'a.ts:1 no var\nOops: crashed',
      error: expect.stringContaining('not JSON'),
    });
  });

  it('WRK-27 a linter that cannot start is a failure that names it', async () => {
    const result = await lint({ commands: { lint: 'no-such-linter' } });
    expect(result).toMatchObject({
      signal: 'SIGNAL:FAILURE',
      new_payload: [
        {
          type: 'LINT_RESULT',
          content: { parsed: null, raw: expect.stringMatching(/no-such-linter.*ENOENT/) },
        },
      ],
    });
  });

  it('WRK-03 fails without a worktree', async () => {
    const result = await linter(servicesFor()).run(contextFor(), recordedRun());
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ type: 'ERROR' }] });
  });
});
