import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import { baselineOf } from '../../workers/checks-used.ts';
import { makeReady } from './make-ready.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lw-ready-'));
  execFileSync('git', ['init', '-q'], { cwd: dir });
  mkdirSync(join(dir, '.loopwright'));
  // It ends only when something else was done beside it.
  const check =
    'const fs = require("node:fs"); while (!fs.existsSync("go")); fs.writeFileSync("checked", "")';
  const test = ['node', '-e', check];
  writeFileSync(join(dir, '.loopwright/config.json'), JSON.stringify({ commands: { test } }));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const go = () => writeFileSync(join(dir, 'go'), '');
const ready = (meanwhile: () => Promise<void>) =>
  makeReady(
    loadConfig(dir),
    { id: 'one', path: dir, prefix: '', from: dir, baseCommit: 'abc' },
    { meanwhile, checks: baselineOf([{ kind: 'test' }], loadConfig(dir).commands) },
  );

describe('what is done while the checks of a new worktree run', () => {
  it('is done beside them, and both are waited for', async () => {
    const { baseline } = await ready(async () => go());
    expect(existsSync(join(dir, 'checked'))).toBe(true);
    expect(baseline.checks.map(({ name, color }) => [name, color])).toEqual([['test', 'green']]);
  });

  it('when it fails, the checks have ended before anybody hears of it, so that the files can be removed', async () => {
    const failed = ready(async () => {
      go();
      throw new Error('the store is damaged');
    });
    await expect(failed).rejects.toThrow('the store is damaged');
    expect(existsSync(join(dir, 'checked'))).toBe(true);
  });
});
