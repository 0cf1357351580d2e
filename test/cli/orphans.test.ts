import { readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ProcessIdentity } from '../../src/kernel/process-identity.ts';
import { identify, processState } from '../../src/process/identity.ts';
import { jsonLines, loopwright, start, write } from './support.ts';
import { repository } from './workspace-support.ts';

/** A session whose agent hangs, and whose process was killed as hard as it can be. */
async function killed() {
  const cwd = repository({ 'check.mjs': 'process.exit(1)\n' });
  write(cwd, {
    '.git/script.json': {
      turns: [
        [{ write: { path: 'half.txt', content: 'half\n' } }, { say: 'halfway' }, { hang: true }],
        [{ say: 'second turn of the conversation' }],
      ],
    },
    '.loopwright/config.json': { commands: { test: 'node check.mjs' } },
  });
  const env = {
    LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json'),
    REPO_MODE: 'local-git',
    LLM_EXECUTOR: 'scripted',
  };
  const place = { cwd, env };
  const run = start(['run', 'do it', '--agent', 'scripted', '--json'], place);
  await run.saw('halfway');
  const [id = ''] = readdirSync(join(cwd, '.loopwright/sessions'));
  // What is told may be told before it is written: a kill in between loses the note, and nothing else.
  const journal = await holding(join(cwd, '.loopwright/sessions', id), 'journal.1.jsonl', '"conversation"');
  const pid = jsonLines(journal)
    .map((line) => line['note'] as { process?: { pid: number } } | undefined)
    .find((note) => note?.process)?.process?.pid;
  const agent = identify(pid ?? 0);
  if (!agent) throw new Error('The agent does not run.');
  run.child.kill('SIGKILL');
  await run.ended;
  return { id, agent, call: (...args: string[]) => loopwright(args, place), cwd };
}

/** What a file holds once it has the text. */
function holding(folder: string, name: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    const look = (): void => {
      const held = readFileSync(join(folder, name), 'utf8');
      if (!held.includes(text)) return;
      watcher.close();
      resolve(held);
    };
    const watcher = watch(folder, look);
    look();
  });
}

function isGone(agent: ProcessIdentity): boolean {
  return processState(agent) === 'gone';
}

it('ps ends the agent of a killed session, and says what it was doing', async () => {
  const { agent, call, cwd, id } = await killed();
  expect(isGone(agent)).toBe(false);
  const { stdout } = await call('ps');
  expect(isGone(agent)).toBe(true);
  expect(stdout).toMatch(
    /: its process died in step 1, when scripted was at work at Feature_Implement__GenerateCode; (?:one process|\d+ processes) of it still ran and (?:was|were) ended now/,
  );
  const again = JSON.parse((await call('ps', '--json')).stdout) as { sessions: object[] };
  expect(again.sessions).toMatchObject([{ state: 'dead', left: { ended: 0, agents: ['scripted'] } }]);
  // Nothing of its work is lost, and it goes on from there.
  expect(readFileSync(join(cwd, '.loopwright/worktrees', id, 'half.txt'), 'utf8')).toBe('half\n');
});

it.each([[['show']], [['work', '--once']]])('%s ends it too', async (args) => {
  const { agent, call } = await killed();
  await call(...args);
  expect(isGone(agent)).toBe(true);
});

it('what goes on after a kill is the conversation of the agent, with the files it had', async () => {
  const { call, cwd, id } = await killed();
  const { stdout } = await call('resume', '--json');
  expect(stdout).toContain('second turn of the conversation');
  expect(readFileSync(join(cwd, '.loopwright/worktrees', id, 'half.txt'), 'utf8')).toBe('half\n');
});

it('a list of sessions changes nothing', async () => {
  const { agent, call } = await killed();
  await call('sessions');
  expect(isGone(agent)).toBe(false);
  await call('ps');
});
