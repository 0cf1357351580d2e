import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { createMasker } from '../kernel/mask.ts';
import { redBefore, takeBaseline } from './baseline.ts';
import { readSetupCommands } from './command-line.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'lw-base-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const check = (name: string, code: string) => ({ name, argv: [process.execPath, '-e', code] });
const take = (...checks: ReturnType<typeof check>[]) =>
  takeBaseline({ path, commit: 'abc' }, checks, {
    env: { ...process.env },
    masker: createMasker([]),
    logFolder: join(path, 'logs'),
    clock: { ...systemClock, now: () => 7 },
  });

describe('the baseline', () => {
  it('records red and green with exit code, duration and the log, and runs every check', async () => {
    const baseline = await take(
      check('test', 'console.log("1 failed in 12 ms"); process.exit(1)'),
      check('lint', ''),
      { name: 'build it', argv: ['no-such-program-here'] },
    );
    expect(baseline).toMatchObject({
      at: 7,
      commit: 'abc',
      checks: [
        { name: 'test', color: 'red', exitCode: 1, signature: expect.any(String) as string },
        { name: 'lint', color: 'green', exitCode: 0, signature: null },
        {
          name: 'build it',
          color: 'red',
          exitCode: null,
          end: expect.stringContaining('could not be started') as string,
        },
      ],
    });
    expect(redBefore(baseline).map(({ name }) => name)).toEqual(['test', 'build it']);
    expect(readFileSync(baseline.checks[0]!.log, 'utf8')).toContain('1 failed');
    expect(JSON.parse(JSON.stringify(baseline))).toEqual(baseline);
  });

  it('the same failure has the same signature, another one another', async () => {
    const of = async (text: string) =>
      (await take(check('test', `console.log(${JSON.stringify(text)}); process.exit(1)`))).checks[0]
        ?.signature;
    expect(await of('x failed in 12 ms')).toBe(await of('x failed in 340 ms'));
    expect(await of('x failed in 12 ms')).not.toBe(await of('y failed in 12 ms'));
  });
});

describe('setup commands', () => {
  it('are lines or words, never a shell', () => {
    expect(readSetupCommands(['CI=1 npm ci', ['node', 'a b']], 'worktrees.setup')).toEqual({
      ok: true,
      commands: [
        { argv: ['npm', 'ci'], env: { CI: '1' } },
        { argv: ['node', 'a b'], env: {} },
      ],
    });
    expect(readSetupCommands(['a && b'], 'worktrees.setup')).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('worktrees.setup[0]') as string],
    });
  });
});
