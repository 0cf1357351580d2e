import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';
import { onTerminal } from '../cli/terminal.ts';
import { repository } from '../cli/workspace-support.ts';

const CTRL_C = '\u0003';

/** A machine on which one agent is installed, which only says its version. */
function withClaude(): NodeJS.ProcessEnv {
  const bin = tempFolder();
  write(bin, { claude: '#!/bin/sh\necho "99.0.0 (Claude Code)"\n' });
  chmodSync(join(bin, 'claude'), 0o755);
  return {
    PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    LLM_EXECUTOR: undefined,
    LOOPWRIGHT_TASK_LOCK_DIR: tempFolder(),
  };
}

const written = (cwd: string) => JSON.parse(readFileSync(join(cwd, '.loopwright/config.json'), 'utf8'));

describe('on a terminal', () => {
  it('init asks which agent does the work, and writes it down', async () => {
    const cwd = repository({ 'package.json': { scripts: { test: 'node t.js' } } });
    const { code, text } = await onTerminal(['init'], {
      cwd,
      env: withClaude(),
      replies: [
        ['[y/N]', 'y\r'],
        [/Which agent does the work\?[^]*\) claude[^]*> /, 'claude\r'],
      ],
    });
    expect([code, text]).toEqual([0, expect.stringContaining('claude does the work')]);
    expect(written(cwd)).toMatchObject({
      commands: { test: ['npm', 'run', 'test'] },
      agents: { all: 'claude' },
      workers: { Coder: { agent: 'claude' } },
    });
  });

  it('work asks on first use, works with the answer, and asks no more', async () => {
    const cwd = repository();
    const env = withClaude();
    const { code, text } = await onTerminal(['work', '--once'], {
      cwd,
      env,
      replies: [[/Which agent does the work\?[^]*\) claude[^]*> /, 'claude\r']],
    });
    expect([code, text]).toEqual([0, expect.stringContaining('with claude, 1 task at once')]);
    expect(written(cwd)).toMatchObject({ agents: { all: 'claude' } });
    const again = await onTerminal(['work', '--once'], { cwd, env });
    expect([again.code, again.text]).toEqual([0, expect.not.stringContaining('Which agent')]);
  });

  it('work shows each task at work with its step, agent and tokens, and clears that when it is stopped', async () => {
    const cwd = repository();
    write(cwd, {
      '.git/script.json': {
        steps: [{ usage: { input: 12_000, output: 345 } }, { say: 'thinking hard' }, { hang: {} }],
      },
    });
    const env = {
      LLM_EXECUTOR: 'scripted',
      LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json'),
      LOOPWRIGHT_TASK_LOCK_DIR: tempFolder(),
    };
    for (const name of ['first', 'second'])
      await loopwright(['task', 'add', `the ${name} one`, '--allow', `${name}/**`], { cwd, env });
    const block = (name: string) =>
      `the ${name} one[^\\n]*12\\.3k tokens[^\\n]*\\n[^\\n]*Work__Implement[^\\n]*Coder[^\\n]*\\n[^\\n]*Implement \\(Coder\\) scripted[^\\n]*running[^\\n]*\\n[^\\n]*thinking hard`;
    const both = new RegExp(
      `${block('first')}[^]*${block('second')}|${block('second')}[^]*${block('first')}`,
    );
    const { code, text } = await onTerminal(['work', '--concurrency', '2'], {
      cwd,
      env,
      replies: [[both, CTRL_C]],
    });
    expect(code).toBe(130);
    expect(text).toMatch(both);
    expect(text).toContain('stopping: what runs is parked at its checkpoint and given back');
    expect(text.trimEnd().split('\n').slice(-8).join('\n')).toContain('2 queued');
  });
});

it('in a pipe work names no agent that nobody chose: neither before the refusal nor with an empty line', async () => {
  const cwd = repository();
  const env = withClaude();
  const idle = await loopwright(['work', '--once'], { cwd, env });
  expect([idle.code, idle.stdout]).toEqual([
    0,
    expect.stringContaining('with the agents that its tasks name, 1 task at once'),
  ]);
  await loopwright(['task', 'add', 'one'], { cwd, env });
  const refused = await loopwright(['work', '--once'], { cwd, env });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
});
