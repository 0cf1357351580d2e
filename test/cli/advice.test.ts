import { describe, expect, it } from 'vitest';
import { cheatedProject } from '../cheating/project.ts';
import { loopwright, paste, tempFolder, write } from './support.ts';
import { flow, repository, runToEnd, sessionIn } from './workspace-support.ts';

const HALTS = flow(['fail']);
const lineWith = (said: string, words: string): string =>
  said.split('\n').find((line) => line.includes(words)) ?? expect.fail(`no "${words}" in:\n${said}`);

describe('a printed command that a person has to complete', () => {
  it('is refused as it was printed, and says what is missing', async () => {
    const cwd = repository({ 'w.json': HALTS });
    const { stdout } = await loopwright(['run', 'change it', '-w', 'w.json'], { cwd });
    const line = lineWith(stdout, ' retry ');
    const pasted = await paste(line.trim(), { cwd });
    expect(pasted.code).toBe(1);
    expect(pasted.stderr).toContain('"<hint>" stands for something that only you can say');
    expect(pasted.stderr).toContain('in the place of --guidance "<hint>"');
    const steps = (await loopwright(['show', sessionIn(stdout), '--json'], { cwd })).stdout;
    expect(JSON.parse(steps).trail).toHaveLength(1);
  });

  it.each([
    [['task', 'requeue', 'x', '--notes', '<notes>']],
    [['judge', 'x', 'rework', '<notes>']],
    [['accept', 'x', '--suspicious', '<reason>']],
    [['run', '<goal>']],
    [['run', 'go', '--input', 'key=<value>']],
    [['resume', 'x', '--answer', '<answer>']],
    [['task', 'edit', 'x', '--allow', '<path>']],
  ])('%j', async (words) => {
    const { code, stderr } = await loopwright(words, { cwd: tempFolder() });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('stands for something that only you can say'),
    ]);
  });

  it('an open question without choices does not offer an answer of its own', async () => {
    const transitions = [{ on_signal: 'SIGNAL:ANSWERED', action: 'RETURN' }];
    const ask = { worker: 'Internal:AskHuman', with: { question: 'How many?' }, transitions };
    const cwd = repository({ 'w.json': { nodes: { Main: { entry_block: 'Ask', blocks: { Ask: ask } } } } });
    const { stdout } = await loopwright(['run', 'change it', '-w', 'w.json', '--no-wait'], { cwd });
    expect(lineWith(stdout, '--answer')).toContain('--answer "<answer>"');
  });
});

describe('undo', () => {
  const act = `write('test/sum.test.mjs', ${JSON.stringify('// nothing to test\n')});`;

  it('of suspicious work advises an accept that can work', async () => {
    const cwd = cheatedProject({ act });
    const place = { cwd };
    const run = await loopwright(['run', 'make sum add its numbers', '--agent', 'cheat'], place);
    const id = sessionIn(run.stdout);
    expect((await loopwright(['accept', id, '--suspicious', 'looked at'], place)).code).toBe(0);
    const { stdout } = await loopwright(['undo', id], place);
    const line = lineWith(stdout, ' accept ');
    expect(line).toContain('--suspicious "<reason>"');
    const again = await paste(line.replace('next: ', '').replace('<reason>', 'still fine').trim(), place);
    expect([again.code, again.stderr]).toEqual([0, '']);
  });

  it('of a suspicious task too, and so does its page', async () => {
    const cwd = cheatedProject({ act });
    const place = { cwd, env: { REPO_MODE: 'local-git', LLM_EXECUTOR: 'cheat' } };
    const added = await loopwright(['task', 'add', 'make sum add', '--command', 'npm test', '--json'], place);
    const { id } = JSON.parse(added.stdout) as { id: string };
    await loopwright(['work', '--once'], place);
    const shown = await loopwright(['show', id], place);
    expect(lineWith(shown.stdout, '.js accept ')).toContain('--suspicious "<reason>"');
    expect(shown.stdout).not.toMatch(/^ {2}.* show \w+$/m);
    expect((await loopwright(['accept', id, '--suspicious', 'looked at'], place)).code).toBe(0);
    const { stdout } = await loopwright(['undo', id], place);
    expect(lineWith(stdout, '.js accept ')).toContain('--suspicious "<reason>"');
  });
});

describe('what is said about a mistake', () => {
  it.each([
    [['run', 'go', '--agnt', 'x'], 'run --help'],
    [['task', 'add', 'x', '--nots', 'y'], 'task add --help'],
    [['accept'], 'accept'],
    [['nosuch'], '--help'],
  ])('%j leads to %s', async (words, help) => {
    const { code, stderr } = await loopwright(words, { cwd: tempFolder() });
    expect([code, stderr]).toEqual([1, expect.stringContaining(help)]);
  });

  it.each([['show'], ['diff'], ['accept'], ['undo']])(
    '%s of an unknown id names both kinds',
    async (command) => {
      const { stderr } = await loopwright([command, 'ZZZZZZ'], { cwd: tempFolder() });
      expect(stderr).toContain('There is no session or task "ZZZZZZ"');
    },
  );

  it('a session is not advised to be looked at by who looks at it', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    const { stdout } = await loopwright(['show', id], { cwd });
    expect(stdout).not.toMatch(/ show \w{6}$/m);
  });
});

describe('paths outside of the project', () => {
  it.each([
    ['--allow', '/etc'],
    ['--allow', '../x'],
    ['--allow', 'src/**/../../../x'],
    ['--allow', '~/x'],
    ['--deny', '/etc'],
  ])('%s %s is refused before anything starts', async (flag, path) => {
    const cwd = tempFolder();
    write(cwd, { 'w.json': HALTS });
    const { code, stdout, stderr } = await loopwright(['run', 'go', '-w', 'w.json', flag, path], { cwd });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`"${path}" cannot be`);
    expect(stderr).toContain('Nothing was started');
  });
});
