import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { isEndedState } from '../../src/process/identity.ts';
import { systemProcesses } from '../../src/process/process-table.ts';
import { appears, loopwright, start, tempFolder, write } from '../cli/support.ts';

/** An agent that no signal stops but the one that cannot be caught. Research runs it in a folder of its own. */
const STUBBORN = `
import { writeFileSync } from 'node:fs';
process.chdir(import.meta.dirname);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => writeFileSync('told', ''));
writeFileSync('pid', String(process.pid));
writeFileSync('ready', '');
setInterval(() => {}, 1000);
`;

function project() {
  const cwd = tempFolder();
  const headless = {
    args: [join(cwd, 'agent.mjs')],
    promptPosition: 'last',
    endOfOptions: true,
    closeStdin: true,
    stream: 'text',
    settings: { permissions: { read: { args: [] }, edits: { args: [] }, all: { args: [] } } },
  };
  write(cwd, {
    'agent.mjs': STUBBORN,
    '.loopwright/adapters/stubborn.json': {
      metadata: { displayName: 'Stubborn' },
      binary: { command: process.execPath },
      modes: { headless },
    },
  });
  const env = {
    REPO_MODE: 'direct',
    LLM_EXECUTOR: 'stubborn',
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
  };
  return { cwd, env };
}

it.each([
  [['work'], 'the next `work` takes it over'],
  [['work', '--json'], '"killed":["'],
  [['research', 'is it so?'], 'research --continue'],
])('a second Ctrl-C on %j kills the agent at work and says how to go on', async (args, word) => {
  const { cwd, env } = project();
  await loopwright(['task', 'add', 't'], { cwd, env });
  const run = start(args, { cwd, env });
  await appears(cwd, 'ready');
  run.child.kill('SIGINT');
  await appears(cwd, 'told');
  run.child.kill('SIGINT');
  const { code, stdout } = await run.ended;
  expect([code, stdout]).toEqual([130, expect.stringContaining(word)]);
  const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
  await vi.waitFor(() => {
    const row = systemProcesses.row(pid);
    expect(row === undefined || isEndedState(row.state)).toBe(true);
  });
});
