import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { appears, loopwright, start, tempFolder, write } from './support.ts';
import {
  commitAll,
  document,
  flow,
  git,
  photographOf,
  read,
  repository,
  runToEnd,
  sessionIn,
} from './workspace-support.ts';

const THREE = flow(
  ['write', 'a.txt', 'one\n'],
  ['write', 'a.txt', 'one\n'],
  ['write', 'b.txt', 'three\n'],
  ['write', 'a.txt', 'four\n'],
);

interface Change {
  readonly files: readonly { readonly path: string; readonly kind: string }[];
}

const paths = ({ files }: Change): string[] => files.map(({ kind, path }) => `${kind} ${path}`);

describe('what a session changed', () => {
  it('diff shows all of it, one step, or between two; the files of now count too', async () => {
    const cwd = repository({ 'w.json': THREE });
    const { id, worktree } = await runToEnd(cwd);
    const change = (...args: string[]) => document<Change>(['diff', id, ...args], cwd);
    expect(paths(await change())).toEqual(['modified a.txt', 'added b.txt']);
    expect(paths(await change('--step', '1'))).toEqual(['modified a.txt']);
    expect(paths(await change('--step', '2'))).toEqual([]);
    expect(paths(await change('--step', '3'))).toEqual(['added b.txt']);
    expect(paths(await change('--from', '2'))).toEqual(['modified a.txt', 'added b.txt']);
    expect(paths(await change('--from', '2', '--to', '3'))).toEqual(['added b.txt']);
    expect(paths(await change('--to', '2'))).toEqual(['modified a.txt']);
    expect(paths(await change('--from', '0', '--to', '0'))).toEqual([]);
    write(worktree, { 'by-hand.txt': 'x\n' });
    const { stdout } = await loopwright(['diff', id], { cwd });
    expect(stdout).toContain('+four');
    expect(stdout).toMatch(/added +by-hand.txt {2}\+1 -0\nnext: .* accept/);
    const stat = await loopwright(['diff', id, '--stat'], { cwd });
    expect(stat.stdout).not.toContain('+four');
  });

  it('timeline shows every step and which of them changed files', async () => {
    const cwd = repository({ 'w.json': THREE });
    const { id } = await runToEnd(cwd);
    const { stdout } = await loopwright(['timeline', id], { cwd });
    const rows = stdout.split('\n').filter((line) => /Main__S/.test(line));
    expect(rows.map((row) => /[+]\d ~\d -\d/.exec(row)?.[0] ?? '')).toEqual([
      '+0 ~1 -0',
      '',
      '+1 ~0 -0',
      '+0 ~1 -0',
    ]);
    const { steps, checkpoints } = await document<{ steps: object[]; checkpoints: { step: number }[] }>(
      ['timeline', id],
      cwd,
    );
    expect([steps.length, checkpoints.map(({ step }) => step)]).toEqual([4, [0, 1, 3, 4]]);
  });

  it('a step that is none, that does not exist, or that is given in two ways is refused', async () => {
    const cwd = repository({ 'w.json': THREE });
    const { id } = await runToEnd(cwd);
    const cases: [string[], string][] = [
      [['diff', id, '--step', 'x'], 'is not the number of a step'],
      [['diff', id, '--step', '9'], 'has no step 9'],
      [['diff', id, '--from', '9'], 'Its steps are 1 to 4'],
      [['diff', id, '--step', '1', '--to', '2'], 'exclude each other'],
      [['fork', id, '--at', '-1'], 'is not the number of a step'],
      [['fork', id, '--at', '9'], 'has no step 9'],
      [['rewind', id, '--to', '9'], 'has no step 9'],
      [['fork', id, '--at', '1', '--no-run', '--guidance', 'x'], '--no-run runs none'],
    ];
    const before = photographOf(cwd);
    for (const [args, message] of cases) {
      const { code, stderr } = await loopwright(args, { cwd });
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining(message)]);
      expect(stderr).toContain('next: ');
    }
    expect(photographOf(cwd)).toEqual(before);
    expect((await document<{ worktrees: object[] }>(['worktrees', 'list'], cwd)).worktrees).toHaveLength(1);
    expect(git(cwd, 'fsck', '--connectivity-only')).toBe('');
  });
});

/** Answers with the guidance it was given, as a file. */
const AGENT = `
let text = '';
for await (const part of process.stdin) text += part;
const { execution_payload: payload } = JSON.parse(text);
const heard = payload.filter(({ type }) => type === 'HUMAN_GUIDANCE').map(({ content }) => content.guidance ?? content);
const content = { filePath: 'heard.txt', fileContent: JSON.stringify(heard) };
process.stdout.write(JSON.stringify({ segments: [{ type: 'CODE_OUTPUT', content }] }));
`;

const command = (...words: string[]) => ({
  worker: 'Internal:Command',
  with: { argv: ['node', 'act.mjs', ...words] },
});
const to = (action: string) => ({ transitions: [{ on_signal: 'SIGNAL:SUCCESS', action }] });
const WITH_AGENT = {
  nodes: {
    Main: {
      entry_block: 'A',
      blocks: {
        A: { ...command('write', 'a.txt', 'one\n'), ...to('JUMP:B') },
        B: { ...command('write', 'a.txt', 'two\n'), ...to('JUMP:Ask') },
        Ask: { worker: 'Agent', ...to('JUMP:Write') },
        Write: { worker: 'Internal:FileSystemWriter', ...to('RETURN') },
      },
    },
  },
  workers: { Agent: { command: ['node', 'agent.mjs'] } },
};

describe('going back', () => {
  it('fork begins where a session was after a step: own worktree, its files, and guidance reaches the worker', async () => {
    const cwd = repository({ 'w.json': WITH_AGENT, 'agent.mjs': AGENT });
    const { id, worktree } = await runToEnd(cwd);
    const forked = await loopwright(['fork', id, '--at', '1', '--guidance', 'use v2'], { cwd });
    expect([forked.code, forked.stderr]).toEqual([0, '']);
    const copy = sessionIn(forked.stdout);
    expect(copy).not.toBe(id);
    const there = join(cwd, '.loopwright/worktrees', copy);
    expect(read(there, 'heard.txt')).toContain('use v2');
    expect(read(worktree, 'heard.txt')).toBe('[]');
    const { steps, checkpoints } = await document<{ steps: object[]; checkpoints: { step: number }[] }>(
      ['timeline', copy],
      cwd,
    );
    expect([steps.length, checkpoints.map(({ step }) => step)]).toEqual([4, [0, 1, 2, 4]]);
  });

  it('a fork talks to its agent in a copy of the conversation, and the original goes on without it', async () => {
    const turn = (n: number) => [{ say: `turn ${n}` }];
    const block = (next: string) => ({
      worker: 'Coder',
      transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: next }],
    });
    const cwd = repository({
      'w.json': {
        workers: { Coder: { agent: 'scripted' } },
        nodes: { Main: { entry_block: 'A', blocks: { A: block('JUMP:B'), B: block('RETURN') } } },
      },
      'script.json': { turns: [turn(1), turn(2), turn(3)] },
    });
    const env = { LOOPWRIGHT_SCRIPT: join(cwd, 'script.json') };
    const said = async (id: string) => {
      const { stdout } = await loopwright(['show', id, '--payload', '--json'], { cwd });
      const { payload } = JSON.parse(stdout) as {
        payload: { type: string; content: { conversation: { id: string } } }[];
      };
      const runs = payload.filter(({ type }) => type === 'AGENT_RUN');
      return runs.map(({ content }) => content.conversation.id.split('#'));
    };
    const ran = await loopwright(['run', 'talk', '--workflow', 'w.json'], { cwd, env });
    const [first, second] = await said(sessionIn(ran.stdout));
    expect([first?.[1], second]).toEqual(['1', [first?.[0], '2']]);
    const forked = await loopwright(['fork', sessionIn(ran.stdout), '--at', '1'], { cwd, env });
    expect(forked.code).toBe(0);
    const [same, copy] = await said(sessionIn(forked.stdout));
    expect(same).toEqual(first);
    expect(copy?.[0]).not.toBe(first?.[0]);
    expect(copy?.[1]).toBe('2');
  });

  it('a fork is at the very files of that step, even before anything ran, and can be forked and rewound itself', async () => {
    const cwd = repository({ 'w.json': THREE });
    const { id } = await runToEnd(cwd);
    const fork = async (from: string, at: string) =>
      document<{ session: string; worktree: string; branch: string }>(
        ['fork', from, '--at', at, '--no-run'],
        cwd,
      );
    const begin = await fork(id, '0');
    expect([read(begin.worktree, 'a.txt'), read(begin.worktree, 'b.txt')]).toEqual(['zero\n', undefined]);
    const third = await fork(id, '3');
    expect([read(third.worktree, 'a.txt'), read(third.worktree, 'b.txt')]).toEqual(['one\n', 'three\n']);
    expect(third.branch).toBe(`loopwright/${third.session}`);
    const second = await fork(third.session, '2');
    expect([read(second.worktree, 'a.txt'), read(second.worktree, 'b.txt')]).toEqual(['one\n', undefined]);
    await document(['rewind', third.session, '--to', '0'], cwd);
    expect([read(third.worktree, 'a.txt'), read(third.worktree, 'b.txt')]).toEqual(['zero\n', undefined]);
    expect((await loopwright(['resume', third.session], { cwd })).code).toBe(0);
    expect(read(third.worktree, 'a.txt')).toBe('four\n');
  });

  it('rewind takes files and journal back; what came later is kept aside and counts no more', async () => {
    const cwd = repository({ 'w.json': THREE });
    const { id, worktree } = await runToEnd(cwd);
    write(worktree, { 'by-hand.txt': 'mine\n' });
    const { aside } = await document<{ aside: string[] }>(['rewind', id, '--to', '2'], cwd);
    expect([read(worktree, 'a.txt'), read(worktree, 'b.txt'), read(worktree, 'by-hand.txt')]).toEqual([
      'one\n',
      undefined,
      undefined,
    ]);
    expect(aside.map((ref) => git(cwd, 'ls-tree', '--name-only', ref).includes('by-hand.txt'))).toContain(
      true,
    );
    expect(await document<object>(['show', id], cwd)).toMatchObject({
      status: 'halted',
      step: 2,
      halt: { reason: 'rewound' },
    });
    const { checkpoints } = await document<{ checkpoints: { step: number }[] }>(['timeline', id], cwd);
    expect(checkpoints.map(({ step }) => step)).toEqual([0, 1]);
    const resumed = await loopwright(['resume', id], { cwd });
    expect(resumed.code).toBe(0);
    expect([read(worktree, 'a.txt'), read(worktree, 'b.txt')]).toEqual(['four\n', 'three\n']);
    const again = await document<{ checkpoints: { step: number; sequence: number }[] }>(
      ['timeline', id],
      cwd,
    );
    expect(again.checkpoints.map(({ step }) => step)).toEqual([0, 1, 3, 4]);
    expect(git(cwd, 'fsck', '--connectivity-only')).toBe('');
  });
});

describe('after kill -9', () => {
  /** Writes half of its work, tells so, and hangs; does it all on the second run. */
  const HALF = (control: string) => `
import { existsSync, writeFileSync } from 'node:fs';
const told = ${JSON.stringify(join(control, 'half'))};
writeFileSync('found.json', JSON.stringify([existsSync('half.txt'), existsSync('found.json')]));
writeFileSync('half.txt', 'half');
if (existsSync(told)) {
  writeFileSync('half.txt', 'whole');
} else {
  writeFileSync(told, '');
  setInterval(() => {}, 1000);
}
`;

  it('B-04 resume restores the files of the checkpoint first and keeps what was half done aside', async () => {
    const control = tempFolder();
    const cwd = repository();
    const blocks = {
      A: { ...command('write', 'a.txt', 'one\n'), ...to('JUMP:B') },
      B: { worker: 'Internal:Command', with: { argv: ['node', 'half.mjs'] }, ...to('RETURN') },
    };
    write(cwd, { 'w.json': { nodes: { Main: { entry_block: 'A', blocks } } }, 'half.mjs': HALF(control) });
    commitAll(cwd, 'workflow');
    const run = start(['run', 'x', '-w', 'w.json'], { cwd });
    await appears(control, 'half');
    run.child.kill('SIGKILL');
    const { stdout } = await run.ended;
    const id = sessionIn(stdout);
    const worktree = join(cwd, '.loopwright/worktrees', id);
    expect(read(worktree, 'half.txt')).toBe('half');
    const resumed = await loopwright(['resume', id], { cwd });
    expect([resumed.code, resumed.stderr]).toEqual([0, '']);
    expect([read(worktree, 'a.txt'), read(worktree, 'half.txt'), read(worktree, 'found.json')]).toEqual([
      'one\n',
      'whole',
      '[false,false]',
    ]);
    expect(git(cwd, 'show', `refs/loopwright/${id}/aside/1:half.txt`)).toBe('half');
    expect(git(cwd, 'fsck', '--connectivity-only')).toBe('');
  });

  it('B-04 a worktree that was deleted by hand is made again from the last checkpoint', async () => {
    const control = tempFolder();
    const cwd = repository({
      'w.json': flow(['write', 'b.txt', 'kept\n'], ['fail'], ['wait', control, 'last']),
    });
    const { id, worktree } = await runToEnd(cwd, { code: 2 });
    rmSync(worktree, { recursive: true });
    const listed = await loopwright(['worktrees'], { cwd });
    expect(listed.stdout).toContain(`The session ${shortId(id)} can be continued, but its folder`);
    expect(paths(await document<Change>(['diff', id], cwd))).toEqual(['added b.txt']);
    writeFileSync(join(control, 'last.go'), '');
    const resumed = await loopwright(['resume', id], { cwd });
    expect([resumed.code, resumed.stdout]).toEqual([
      0,
      expect.stringContaining('was made again from what was kept last'),
    ]);
    expect([read(worktree, 'b.txt'), existsSync(join(worktree, '.git'))]).toEqual(['kept\n', true]);
  });
});
