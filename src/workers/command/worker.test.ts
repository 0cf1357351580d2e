import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { contextFor, recordedRun, servicesFor } from '../testing.ts';
import { command } from './worker.ts';

const fake = (name: string) =>
  fileURLToPath(new URL(`../../../test/fake-agents/${name}.mjs`, import.meta.url));

let worktree: string;
beforeEach(async () => {
  worktree = await realpath(await mkdtemp(join(tmpdir(), 'lw-command-')));
});
afterEach(() => rm(worktree, { recursive: true, force: true }));

const worker = command(servicesFor());
const run = (parameters: JsonObject) => worker.run(contextFor({ worktree, with: parameters }), recordedRun());
const exits = (code: number) => [process.execPath, fake('answer'), 'said', '', String(code)];

describe('Internal:Command', () => {
  it('runs words or a line, and keeps the output', async () => {
    const byWords = await run({ argv: ['echo', 'a  b', '$HOME'] });
    expect(byWords).toMatchObject({
      signal: 'SIGNAL:SUCCESS',
      new_payload: [{ type: 'COMMAND_RESULT', content: 'a  b $HOME\n', exit_code: 0 }],
    });
    expect((await run({ command: 'echo "a  b"' })).new_payload[0]?.content).toBe('a  b\n');
  });

  it('maps exit codes to signals', async () => {
    const exit_codes = { '3': 'SIGNAL:RETRY', '0': 'SIGNAL:CLEAN' };
    expect((await run({ argv: exits(3), exit_codes })).signal).toBe('SIGNAL:RETRY');
    expect((await run({ argv: exits(0), exit_codes })).signal).toBe('SIGNAL:CLEAN');
    expect((await run({ argv: exits(4), exit_codes })).signal).toBe('SIGNAL:FAILURE');
    expect((await run({ argv: exits(0) })).signal).toBe('SIGNAL:SUCCESS');
  });

  it('declares exactly the signals that follow from its parameters', () => {
    const argv = ['x'];
    expect(worker.signalsFor?.({ argv })).toEqual(['SIGNAL:SUCCESS', 'SIGNAL:FAILURE']);
    expect(worker.signalsFor?.({ argv, exit_codes: { '0': 'SIGNAL:CLEAN', '3': 'SIGNAL:RETRY' } })).toEqual([
      'SIGNAL:FAILURE',
      'SIGNAL:CLEAN',
      'SIGNAL:RETRY',
    ]);
  });

  it('takes folder, environment and segment type', async () => {
    await mkdir(join(worktree, 'packages/db'), { recursive: true });
    const result = await run({
      command: `B=2 ${process.execPath} -p "[process.cwd(),process.env.A,process.env.B].join()"`,
      cwd: 'packages/db',
      env: { A: '1' },
      segment_type: 'WHERE',
    });
    expect(result.new_payload).toMatchObject([{ type: 'WHERE', content: `${worktree}/packages/db,1,2\n` }]);
  });

  it('does not leave the worktree through a symlink', async () => {
    await mkdir(join(worktree, 'real'));
    await symlink('real', join(worktree, 'inside'));
    await symlink(tmpdir(), join(worktree, 'outside'));
    expect((await run({ argv: ['pwd'], cwd: 'inside' })).signal).toBe('SIGNAL:SUCCESS');
    const refused = await run({ argv: ['touch', 'escaped'], cwd: 'outside' });
    expect(refused).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ type: 'ERROR' }] });
    expect(refused.new_payload[0]?.content).toContain('"cwd" outside leads out of the worktree');
  });

  it('is a failure when it takes too long or cannot start', async () => {
    const slow = await run({ argv: [process.execPath, fake('hang')], timeout_minutes: 0.002 });
    expect(slow.signal).toBe('SIGNAL:FAILURE');
    expect(slow.new_payload[0]?.content).toContain('time limit of 0.12 s');
    const missing = await run({ argv: ['no-such-program'] });
    expect(missing.signal).toBe('SIGNAL:FAILURE');
    expect(missing.new_payload[0]?.content).toContain('ENOENT');
  });

  it.each<[JsonObject, string]>([
    [{}, 'either "argv"'],
    [{ argv: ['a'], command: 'a' }, 'either "argv"'],
    [{ command: 'a && b' }, '"&" is not supported'],
    [{ argv: [] }, 'a list of texts'],
    [{ argv: ['a'], cwd: '../x' }, '"cwd" leads upwards'],
    [{ argv: ['a'], cwd: 5 }, '"cwd" is not a text'],
    [{ argv: ['a'], timeout_minutes: 0 }, '"timeout_minutes"'],
    [{ argv: ['a'], exit_codes: { '300': 'SIGNAL:X' } }, '300 is not an exit code'],
    [{ argv: ['a'], exit_codes: { '3': 'RETRY' } }, '"RETRY" is not a signal'],
    [{ argv: ['a'], exit_codes: 3 }, '"exit_codes" must be an object'],
    [{ argv: ['a'], env: { A: 1 } }, '"env" must be'],
    [{ argv: ['a'], segment_type: '' }, '"segment_type"'],
    [{ argv: ['a'], exit_code: {} }, 'Did you mean "exit_codes"?'],
  ])('names what is wrong with %j', async (parameters, problem) => {
    expect(worker.checkWith?.(parameters).join(' ')).toContain(problem);
    const result = await run(parameters);
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ type: 'ERROR' }] });
    expect(result.new_payload[0]?.content).toContain(problem);
  });

  it('WRK-03 fails without a worktree', async () => {
    const result = await worker.run(contextFor({ with: { argv: ['pwd'] } }), recordedRun());
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ type: 'ERROR' }] });
  });
});
