import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headless, project, stages } from './pipeline-support.ts';
import { loopwright, tempFolder, write } from './support.ts';
import { repository, WRITES } from './workspace-support.ts';

/** Commands that note each of their runs. */
function noting(folder: string) {
  const note = (kind: string) => [
    'node',
    '-e',
    `require("node:fs").appendFileSync(${JSON.stringify(join(folder, 'runs'))}, "${kind}\\n"); require("node:fs").accessSync("act.mjs")`,
  ];
  return { commands: { test: note('test'), lint: note('lint'), build: note('build') }, sandbox: 'off' };
}

const runsIn = (folder: string) =>
  existsSync(join(folder, 'runs')) ? readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n') : [];

/** A workflow that changes a file and then tests, linted by nobody. */
const TESTED = {
  gates: ['Main__Test'],
  nodes: {
    Main: {
      entry_block: 'Write',
      blocks: {
        Write: {
          worker: 'Internal:Command',
          with: { argv: ['node', 'act.mjs', 'write', 'a.txt', 'one'] },
          transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Test' }],
        },
        Test: {
          worker: 'Internal:TestRunner',
          transitions: [
            { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
            { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
          ],
        },
      },
    },
  },
};

describe('the checks on the untouched files', () => {
  it('are those that the workflow runs, and no others', async () => {
    const notes = tempFolder();
    const cwd = repository({ 't.json': TESTED });
    write(cwd, { '.loopwright/config.json': noting(notes) });
    const { code, stdout } = await loopwright(['run', 'go', '-w', 't.json'], { cwd });
    expect(stdout).toContain('running the checks once');
    expect(code).toBe(0);
    expect(runsIn(notes)).toEqual(['test', 'test']);
  });

  it('are none for a workflow that checks nothing, and none with --no-baseline', async () => {
    const notes = tempFolder();
    const cwd = repository({ 't.json': TESTED, 'w.json': WRITES });
    write(cwd, { '.loopwright/config.json': noting(notes) });
    await loopwright(['run', 'go', '-w', 'w.json'], { cwd });
    expect(runsIn(notes)).toEqual([]);
    const { stdout } = await loopwright(['run', 'go', '-w', 't.json', '--no-baseline'], { cwd });
    expect(runsIn(notes)).toEqual(['test']);
    expect(stdout).not.toContain('running the checks once');
  });
});

describe('a pipeline that ends in gates', () => {
  const PIPELINE = { ...stages([headless('a', 'write')]), gates: ['test', 'lint'] };

  it('runs them after the last stage, and completes only if they pass', async () => {
    const notes = tempFolder();
    const { cwd, env } = project(PIPELINE);
    write(cwd, { '.loopwright/config.json': noting(notes) });
    const green = await loopwright(['pipeline', 'p.json', '--no-baseline'], { cwd, env });
    expect(green.stdout).toContain('completed');
    expect(runsIn(notes)).toEqual(['test', 'lint']);
    write(cwd, {
      '.loopwright/config.json': { commands: { test: 'node -e "process.exit(3)"' }, sandbox: 'off' },
    });
    const red = await loopwright(['pipeline', 'p.json', '--no-baseline', '--trust'], { cwd, env });
    expect(red.code).toBe(2);
    expect(red.stdout).toContain('halted at Gates__Test');
  });

  it('refuses a gate that is no command of a project', async () => {
    const { cwd, env } = project({ ...PIPELINE, gates: ['tests'] });
    const { code, stderr } = await loopwright(['pipeline', 'p.json'], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toContain('gates');
  });
});
