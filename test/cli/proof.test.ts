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
});
