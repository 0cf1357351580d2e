import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';
import { repository } from '../cli/workspace-support.ts';

/** A machine on which one agent is installed. */
function withClaude(): NodeJS.ProcessEnv {
  const bin = tempFolder();
  write(bin, { claude: '#!/bin/sh\necho "99.0.0 (Claude Code)"\n' });
  chmodSync(join(bin, 'claude'), 0o755);
  return { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, LLM_EXECUTOR: undefined };
}

describe('the agent of the backlog', () => {
  it('is not assumed: in a pipe the start is refused with those that are found, and no task loses an attempt', async () => {
    const cwd = repository();
    const env = withClaude();
    await loopwright(['task', 'add', 'one'], { cwd, env });
    const { code, stderr } = await loopwright(['work', '--once'], { cwd, env });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/No agent was chosen[^]*Found here: .*claude/)]);
    const listed = await loopwright(['task', 'list', '--json'], { cwd, env });
    expect(JSON.parse(listed.stdout).tasks).toMatchObject([{ state: 'queued', attempts: 0 }]);
  });

  it('init --agent writes it down, for the backlog and for the workflows', async () => {
    const cwd = repository({ 'package.json': { scripts: { test: 'node t.js' } } });
    const env = withClaude();
    const { code, stdout } = await loopwright(['init', '--agent', 'claude'], { cwd, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('claude does the work')]);
    const config = JSON.parse(readFileSync(join(cwd, '.loopwright/config.json'), 'utf8'));
    expect(config).toMatchObject({
      commands: { test: ['npm', 'run', 'test'] },
      agents: { all: 'claude' },
      workers: { Coder: { agent: 'claude' } },
    });
    const unknown = await loopwright(['init', '--agent', 'claud', '--force'], { cwd, env });
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('claud')]);
  });
});
