import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, write } from './support.ts';
import { read, repository, sessionIn } from './workspace-support.ts';

/** An agent's place: it writes what it is told to, then the tests run; red goes back to it, three times. */
function fixing(...words: readonly string[]): object {
  const write = { worker: 'Internal:Command', with: { argv: ['node', 'act.mjs', ...words] } };
  return {
    gates: ['Main__Test'],
    nodes: {
      Main: {
        entry_block: 'Work',
        blocks: {
          Work: {
            ...write,
            limits: { visits: 3 },
            transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Test' }],
          },
          Test: {
            worker: 'Internal:TestRunner',
            transitions: [
              { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
              { on_signal: 'SIGNAL:FAILURE', action: 'JUMP:Work' },
            ],
          },
        },
      },
    },
  };
}

const WORKS = ['write', 'b.txt', 'two\n'];

/** Fails in those of its runs that are named, counted outside of the tree. */
const FAILS_AT = `
import { readFileSync, writeFileSync } from 'node:fs';
const [file, ...reds] = process.argv.slice(2);
let runs = 0;
try { runs = Number(readFileSync(file, 'utf8')); } catch {}
writeFileSync(file, String(++runs));
console.log('some test');
process.exit(reds.includes(String(runs)) ? 1 : 0);
`;

function project(workflow: object, test: string | readonly string[], files: object = {}): string {
  const cwd = repository({ 'w.json': workflow, 'fails-at.mjs': FAILS_AT, ...files });
  write(cwd, { '.loopwright/config.json': { commands: { test }, sandbox: 'off' } });
  return cwd;
}

const failsAt = (...reds: number[]) => {
  const file = join(tempFolder(), 'runs');
  return { file, test: ['node', 'fails-at.mjs', file, ...reds.map(String)] };
};

const run = (cwd: string, ...args: string[]) =>
  loopwright(['run', 'add the endpoint', '-w', 'w.json', ...args], { cwd });

describe('a gate whose command could not have failed', () => {
  it.each([['cd src'], ['true'], ['echo all good'], ['npm run test']])('is not open: %s', async (test) => {
    const scripts = { 'package.json': { scripts: { test: 'echo no tests yet' } }, 'src/x.txt': '' };
    const cwd = project(fixing(...WORKS), test, scripts);
    const { code, stdout } = await run(cwd, '--no-baseline');
    expect(code).toBe(2);
    expect(stdout).toContain('halted');
    expect(stdout).not.toContain('completed');
    if (test !== 'cd src') expect(stdout).toContain('proves nothing');
    const refused = await loopwright(['accept', sessionIn(stdout)], { cwd });
    expect([refused.code, read(cwd, 'b.txt')]).toEqual([1, undefined]);
  });
});

describe('a run of tests that found none', () => {
  const NONE = "console.log('# tests 0\\n# pass 0\\n# fail 0\\n# cancelled 0\\n# skipped 0\\n# todo 0');";

  it('proves nothing: the gate is not open, and a task is not verified', async () => {
    const cwd = project(fixing(...WORKS), ['node', 'none.mjs'], { 'none.mjs': NONE });
    const { code, stdout } = await run(cwd, '--no-baseline');
    expect([code, stdout]).toEqual([2, expect.stringContaining('proves nothing: it ran no test')]);
  });
});

describe('red and then green on the same files', () => {
  it('is flaky: the session halts, and two greens in a row open the gate', async () => {
    const { test, file } = failsAt(1);
    const cwd = project(fixing(...WORKS), test);
    const flaky = await run(cwd, '--no-baseline');
    expect(flaky.code).toBe(2);
    expect(flaky.stdout).toContain('red, then green, without a change');
    expect(readFileSync(file, 'utf8')).toBe('2');
    const id = sessionIn(flaky.stdout);
    const shown = JSON.parse((await loopwright(['show', id, '--json'], { cwd })).stdout);
    expect(shown.session ?? shown).toMatchObject({ halt: { reason: 'flaky' } });
    expect((await loopwright(['accept', id], { cwd })).code).toBe(1);
    expect((await loopwright(['retry', id], { cwd })).code).toBe(0);
  });

  it.each([1, 2])(
    'a script that fails every third time is flaky, and nobody is sent to repair it (%i)',
    async (begun) => {
      const { test, file } = failsAt(3, 6, 9);
      write(join(file, '..'), { runs: String(begun) });
      const cwd = project(fixing(...WORKS), test);
      const { code, stdout } = await run(cwd, '--json');
      const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      expect([code, result.halt?.reason]).toEqual([2, 'flaky']);
      const ran = result.trail.map(({ block }: { block: string }) => block);
      expect(ran).toEqual(['Main__Work', 'Main__Test']);
      const shown = await loopwright(['show', result.session, '--payload', '--json'], { cwd });
      const { payload } = JSON.parse(shown.stdout);
      expect(payload.at(-1)).toMatchObject({ type: 'TEST_RESULT', outcome: 'FAIL', flaky: true });
      expect(payload.at(-1).runs).toHaveLength(2);
      expect(read(cwd, 'b.txt')).toBeUndefined();
    },
  );

  it('a flake of the base, by its signature, is not the work of the session: two greens after it count', async () => {
    const { test, file } = failsAt(1, 3);
    const cwd = project(fixing(...WORKS), test);
    const { code, stdout } = await run(cwd);
    expect(stdout).toContain('flaky before the work began: test was red, then green on the same files');
    expect([code, readFileSync(file, 'utf8')]).toEqual([0, '5']);
  });

  it('a red that stays red is blamed, once it was run again', async () => {
    const { test } = failsAt(2, 3);
    const cwd = project(fixing(...WORKS), test);
    const { stdout } = await run(cwd, '--json');
    const { trail } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    const ways = trail.map(({ block, signal }: { block: string; signal: string }) => `${block} ${signal}`);
    expect(ways.slice(0, 3)).toEqual([
      'Main__Work SIGNAL:SUCCESS',
      'Main__Test SIGNAL:FAILURE',
      'Main__Work SIGNAL:SUCCESS',
    ]);
  });
});

describe('a run that changed nothing', () => {
  const NOTHING = ['look'];

  it('says so, asks the checks, and never offers to accept', async () => {
    const cwd = project(fixing(...NOTHING), ['test', '-f', 'act.mjs']);
    const { code, stdout } = await run(cwd);
    expect(code).toBe(2);
    expect(stdout).toContain('nothing was changed');
    expect(stdout).toContain('Main__Test passes on the untouched files');
    expect(stdout).not.toMatch(/completed|accept/);
    const id = sessionIn(stdout);
    expect((await loopwright(['sessions'], { cwd })).stdout).toContain('no change');
    expect((await loopwright(['show', id], { cwd })).stdout).toContain('nothing was changed');
    const shown = JSON.parse((await loopwright(['show', id, '--json'], { cwd })).stdout);
    expect(shown).toMatchObject({ word: 'no change', halt: { reason: 'no_change', block: 'Main__Work' } });
    const ended = await loopwright(['resume', id], { cwd });
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('nothing was changed')]);
    expect(ended.stdout).not.toContain('accept');
    const after = JSON.parse((await loopwright(['show', id, '--json'], { cwd })).stdout);
    expect(after).toMatchObject({ status: 'completed', outcome: 'no_change', word: 'no change' });
  });

  it('ends as no change where nothing was promised, in a worktree and in place', async () => {
    const nothing = { ...(fixing(...NOTHING) as { nodes: object }), gates: [] };
    const cwd = project(nothing, ['test', '-f', 'act.mjs']);
    for (const where of [[], ['--in-place']]) {
      const { code, stdout } = await run(cwd, '--json', ...where);
      const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      expect([code, result.outcome, JSON.stringify(result.next).includes('accept')]).toEqual([
        0,
        'no_change',
        false,
      ]);
    }
    const changed = await run(project(fixing(...WORKS), ['test', '-f', 'b.txt']), '--in-place', '--json');
    expect(JSON.parse(changed.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      outcome: null,
      exitCode: 0,
    });
  });
});
