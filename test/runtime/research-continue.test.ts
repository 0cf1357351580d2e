import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, loopwright, start, tempFolder, write } from '../cli/support.ts';

const say = (answer: object) => [{ say: JSON.stringify(answer) }];
const source = { url: 'https://a.example/1', title: 't', quote: 'q', stance: 'supports' };

/** Its agent plans two claims, and hangs when it is to challenge the first. */
function project() {
  const cwd = tempFolder();
  const script = join(cwd, 'script.json');
  const play = (challenge: object[]) =>
    write(cwd, {
      'script.json': {
        turns: [
          { when: '\\(plan\\)', steps: say({ findings: [{ claim: 'one' }, { claim: 'two' }] }) },
          { when: '\\(challenge\\)', steps: challenge },
          { when: '\\(write\\)', steps: say({ findings: [], report: 'both [1]' }) },
          {
            steps: say({
              findings: [
                { claim: 'one', sources: [source] },
                { claim: 'two', sources: [source] },
              ],
            }),
          },
        ],
      },
    });
  const env = {
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: script,
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
  };
  return { cwd, env, play };
}

type Listed = { id: string; title: string; state: string; context: { research: { jobId: string } } };

describe('loopwright research --continue', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'after %s the job goes on with the stage it was in, and does nothing twice',
    async (signal) => {
      const place = project();
      place.play([{ say: 'thinking' }, { hang: {} }]);
      const first = start(['research', 'which?', '--json'], place);
      await first.saw('thinking');
      first.child.kill(signal);
      const { stdout } = await first.ended;
      const list = async () =>
        JSON.parse((await loopwright(['task', 'list', '--all', '--json'], place)).stdout).tasks as Listed[];
      const before = await list();
      const job = before[0]?.context.research.jobId ?? '';
      expect(before.filter(({ state }) => state === 'done')).toHaveLength(3);
      if (signal === 'SIGTERM') {
        const last = jsonLines(stdout).at(-1);
        expect(last).toMatchObject({ type: 'result', job });
        expect(last?.['next']).toContain(`research --continue ${job}`);
      }
      place.play(say({ findings: [{ claim: 'one' }, { claim: 'two' }] }));
      const { code, stderr } = await loopwright(['research', '--continue', job], place);
      expect([code, stderr]).toEqual([0, '']);
      const after = await list();
      expect(after.map(({ title, state }) => `${title} ${state}`).sort()).toEqual([
        'challenge: one done',
        'challenge: two done',
        'collect: one done',
        'collect: two done',
        'plan: which? done',
        'write: which? done',
      ]);
      const report = readFileSync(join(place.cwd, '.loopwright', 'research', job, 'report.md'), 'utf8');
      expect(report).toContain('both [1]');
    },
  );

  it('a job is named by one of its tasks too; an unknown one and a second question are refused', async () => {
    const place = project();
    place.play(say({ findings: [{ claim: 'one' }] }));
    await loopwright(['research', 'which?'], place);
    const [task] = JSON.parse((await loopwright(['task', 'list', '--all', '--json'], place)).stdout)
      .tasks as Listed[];
    const again = await loopwright(['research', '--continue', task?.id ?? ''], place);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('2 claims, 2 sources')]);
    const unknown = await loopwright(['research', '--continue', 'zzzz'], place);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no research job "zzzz"')]);
    const both = await loopwright(['research', 'what?', '--continue', task?.id ?? ''], place);
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('the job keeps its own')]);
  });
});
