import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identify, processState } from '../../src/process/identity.ts';
import { jsonLines, loopwright, start, write } from './support.ts';
import { git, repository } from './workspace-support.ts';

const script = (steps: object[]) => ({
  turns: [
    { when: 'quick', steps: [{ write: { path: 'quick.txt', content: 'quick\n' } }] },
    { when: 'slow', steps },
  ],
});
const task = (id: string) => ({ id, adapter: 'scripted', executionMode: 'headless', prompt: id });

/** Where the owner of a session can be reached, or could be while it lived. */
function socketOf(cwd: string, id: string): string {
  const file = join(cwd, '.loopwright/sessions', id, 'session.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { socket: string }).socket;
}

test('SES-05 STG-02: killed in the middle of a stage, it continues with what is not done; nothing of the dead one is left', async () => {
  const cwd = repository({
    'p.json': {
      id: 'p',
      stages: [{ tasks: [task('quick'), task('slow')] }, { tasks: [task('quick-after')] }],
    },
  });
  const steps = [{ write: { path: 'half.txt', content: 'half' } }, { say: 'halfway' }, { hang: true }];
  write(cwd, { '.git/script.json': script(steps) });
  const place = { cwd, env: { LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json') } };
  const run = start(['pipeline', 'p.json', '--json'], place);
  await run.saw('halfway');
  await run.saw('"task":"quick","status":"DONE"');
  const id = readdirSync(join(cwd, '.loopwright/sessions'))[0] ?? '';
  const agent = jsonLines(readFileSync(join(cwd, '.loopwright/sessions', id, 'journal.1.jsonl'), 'utf8'))
    .map((line) => line['note'] as { task?: string; process?: { pid: number } } | undefined)
    .find((note) => note?.task === 'slow' && note.process);
  const alive = identify(agent?.process?.pid ?? 0);
  expect(alive).toBeDefined();
  run.child.kill('SIGKILL');
  await run.ended;
  const socket = socketOf(cwd, id);
  expect(existsSync(socket)).toBe(true);
  write(cwd, { '.git/script.json': script([{ say: 'whole' }]) });

  const resumed = await loopwright(['resume', id, '--json'], place);
  expect(resumed.code).toBe(0);
  expect(alive && processState(alive)).toBe('gone');
  expect(existsSync(socket)).toBe(false);
  const started = jsonLines(resumed.stdout).flatMap(({ type, task: name }) =>
    type === 'task.started' ? [name] : [],
  );
  expect(started).toEqual(['slow', 'quick-after']);
  // The work of a task that is done has its own checkpoint, in the middle of the step.
  const tree = join(cwd, '.loopwright/worktrees', id);
  expect(readFileSync(join(tree, 'quick.txt'), 'utf8')).toBe('quick\n');
  expect(git(cwd, 'for-each-ref', `refs/loopwright/${id}`)).toContain(`${id}/1.quick`);
});
