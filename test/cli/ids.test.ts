import { cpSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { size } from '../../src/kernel/text-width.ts';
import { loopwright, tempFolder, write } from './support.ts';
import { onTerminal } from './terminal.ts';
import { repository } from './workspace-support.ts';

const flow = (action: string) => ({
  nodes: {
    Main_Part_With_A_Long_Name: {
      entry_block: 'Write_A_File_Somewhere',
      blocks: {
        Write_A_File_Somewhere: {
          worker: 'Internal:Command',
          with: { argv: ['node', '-e', 'require("node:fs").writeFileSync("a.txt", String(process.pid))'] },
          transitions: [{ on_signal: 'SIGNAL:SUCCESS', action }],
        },
      },
    },
  },
});
const GOAL = 'write a file that nobody needs, but with a goal that is longer than any narrow window';

let cwd = '';
let env: NodeJS.ProcessEnv = {};

async function run(...args: string[]) {
  return loopwright(args, { cwd, env });
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  return JSON.parse((await run(...args, '--json')).stdout.trim().split('\n').at(-1) ?? '{}');
}

const ids = () => readdirSync(join(cwd, '.loopwright/sessions')).sort();

describe('ids', () => {
  beforeEach(async () => {
    env = {};
    cwd = fixed(repository({ 'done.json': flow('RETURN'), 'halts.json': flow('HALT_AND_FLAG') }));
    await run('run', GOAL, '-w', 'halts.json');
    await run('run', 'the second one', '-w', 'done.json');
  });

  test('are short where a person reads them, taken as they were printed, and whole for programs', async () => {
    const [halted = '', done = ''] = ids();
    const listed = await run('sessions');
    expect(listed.stdout).toMatch(
      new RegExp(`^${shortId(done)} +completed[^]*^${shortId(halted)} +halted`, 'm'),
    );
    expect(listed.stdout).not.toContain(done);
    const shown = await run('show', shortId(halted));
    expect(shown.stdout).toContain(`session   ${shortId(halted)}\n`);
    expect(shown.stdout).toContain(`retry ${shortId(halted)} --guidance`);
    // A path is taken literally, so it stays whole.
    expect(shown.stdout).toContain(join('.loopwright/worktrees', halted));
    expect(await json('show', shortId(halted))).toMatchObject({ id: halted });
    expect((await run('worktrees')).stdout).toMatch(new RegExp(`^${shortId(halted)} `, 'm'));
  });

  test('are not needed to look: the newest is taken, and said', async () => {
    const done = ids().at(-1) ?? '';
    for (const command of ['show', 'diff', 'timeline', 'logs']) {
      const { code, stderr } = await run(command);
      expect([command, code, stderr]).toEqual([
        command,
        0,
        `session ${shortId(done)}, completed: the second one (the newest of 2)\n`,
      ]);
    }
    expect(await json('timeline')).toMatchObject({ session: done });
  });

  test('of several a person on a terminal chooses one, and only that is changed', async () => {
    const [halted = '', done = ''] = ids();
    const kept = await onTerminal(['keep'], { cwd, env, replies: [['Which one?', '1\r']] });
    expect(kept.text).toMatch(/Which one\? Of these 2 sessions each [^]*1[.)] [^]*2[.)] /);
    expect(kept.code).toBe(0);
    const words = await Promise.all([halted, done].map(async (id) => (await json('show', id))['delivery']));
    expect(words.filter((delivery) => delivery !== null && delivery !== undefined)).toHaveLength(1);
  });

  test('are not needed to change the only one for which it makes sense', async () => {
    const [halted = '', done = ''] = ids();
    const accepted = await run('accept', '--unproven');
    expect(accepted.stderr).toBe(
      `session ${shortId(done)}, completed: the second one (the only one that waits to be accepted)\n`,
    );
    expect(accepted.stdout).toMatch(/^Accepted: 1 file/);
    expect((await run('undo')).stderr).toContain(`session ${shortId(done)}, completed`);
    const none = await run('undo');
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('There is no session that was accepted.'),
    ]);
    expect((await run('resume')).stderr).toContain(`session ${shortId(halted)}, halted`);
  });

  test('are asked for where several could be meant', async () => {
    const [first = '', second = ''] = ids();
    const { code, stderr } = await run('discard', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('Which one? Of these 2 sessions each has work that could be discarded:\n');
    expect(stderr).toContain(`  ${shortId(second)}  completed  the second one\n`);
    expect(stderr).toContain(`  ${shortId(first)}  `);
    const asked = await loopwright(['rewind', '--to', '0', '--json'], { cwd, env });
    expect(JSON.parse(asked.stdout)).toMatchObject({
      error: { message: expect.stringContaining('Which one?') },
    });
  });

  test('that end alike are told apart', async () => {
    const [first = ''] = ids();
    const twin = `01AAAAAAAAAAAAAAAAAA${first.slice(-6)}`;
    const folder = join(cwd, '.loopwright/sessions');
    cpSync(join(folder, first), join(folder, twin), { recursive: true });
    const { stderr } = await run('show', first.slice(-6));
    expect(stderr).toContain(`"${first.slice(-6)}" fits 2 sessions:\n  ${first.slice(-7)}  `);
    expect((await run('show', first.slice(-7))).code).toBe(0);
    renameSync(join(folder, twin), join(tempFolder(), twin));
  });
});

describe('ids of tasks', () => {
  test('are short too, and not needed where only one fits', async () => {
    cwd = fixed(repository({}));
    env = { REPO_MODE: 'local-git', LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.git/locks') };
    const added = await run('task', 'add', 'first');
    const id = /^Added (\w{6}): first\n/.exec(added.stdout)?.[1] ?? '';
    expect(await json('task', 'show')).toMatchObject({ title: 'first', id: expect.stringMatching(`${id}$`) });
    expect((await run('task', 'cancel')).stdout).toContain(`Cancelled ${id}, which is cancelled.`);
    expect((await run('task', 'requeue')).stdout).toContain(`Back in line: ${id}`);
    const second = await run('task', 'add', 'second', '--needs', id);
    expect(second.code).toBe(0);
    const which = await run('task', 'cancel');
    expect(which.stderr).toMatch(
      /Which one\? Of these 2 tasks each is open:\n {2}\w{6} {2}task, queued {2}second\n/,
    );
    expect((await run('judge', 'approve')).stderr).toContain('There is no task that waits for a verdict.');
    expect((await run('board')).stdout).toContain(`${id} first`);
  });
});

describe('in 60 columns', () => {
  test('no line of a table or a graph is wider than the window', async () => {
    cwd = fixed(repository({ 'halts.json': flow('HALT_AND_FLAG') }));
    env = { COLUMNS: '60', REPO_MODE: 'local-git', LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.git/locks') };
    const ran = await run('run', GOAL, '-w', 'halts.json', '--plan', 'a.txt');
    const steps = ran.stdout.split('\n').filter((line) => /^[✓✗•] {3}\d| {7}\S*.*→/.test(line));
    expect(steps.length).toBeGreaterThan(1);
    for (const line of steps) expect(size(line)).toBeLessThanOrEqual(60);
    await run('task', 'add', GOAL, '--allow', 'a.txt');
    await run('task', 'add', 'another one', '--expect', 'x');
    await run('task', 'cancel', ((await json('task', 'show'))['id'] as string) ?? '');
    const tables = [
      ['sessions'],
      ['timeline'],
      ['task', 'list', '--all'],
      ['board'],
      ['conflicts'],
      ['runtimes'],
      ['worktrees'],
      ['config', '--all'],
      ['agents'],
      ['budget'],
      ['graph', 'halts.json'],
      ['graph', 'code-task'],
      ['clean', '--dry-run'],
    ];
    for (const words of tables) {
      const { stdout } = await run(...words);
      const lines = stdout
        .split('\n')
        .filter((line) => !/^(next|!|✗|What holds|No runtime|\S+ is kept)/.test(line));
      const wide = lines.filter((line) => size(line) > 60);
      expect([words, wide]).toEqual([words, []]);
    }
  });
});

/** The sandbox of the machine changes nothing here. */
function fixed(folder: string): string {
  write(folder, { '.loopwright/config.json': { sandbox: 'off' } });
  return folder;
}
