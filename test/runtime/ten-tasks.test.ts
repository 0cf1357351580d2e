import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonLines, loopwright, start, write } from '../cli/support.ts';
import { git, repository } from '../cli/workspace-support.ts';
import { rowsOf } from '../tasks/rows.ts';

const OK = 'node check.mjs';
const say = (text: string) => ({ say: text });
const file = (path: string, content = 'x\n') => ({ write: { path, content } });
/** What the scripted agent plays, by the title of the task in its prompt. */
const SCRIPT = {
  turns: [
    {
      when: 'violations',
      steps: [
        say('{"decisions": [{"path": "config/extra.txt", "decision": "discard", "reason": "not needed"}]}'),
      ],
    },
    // The second turn of a conversation that continues.
    { when: 'Verification failed', steps: [file('src/broken.txt', 'repaired\n'), say('repaired')] },
    { when: '# HUMAN_GUIDANCE', steps: [file('src/reworked.txt', 'as the person said\n'), say('reworked')] },
    { when: 'Task: plain', steps: [file('src/plain.txt'), file('dist/product.js'), say('ok')] },
    { when: 'Task: second plain', steps: [file('src/second.txt'), say('ok')] },
    { when: 'Task: policy', steps: [file('src/policy.txt'), file('config/extra.txt'), say('ok')] },
    { when: 'Task: broken', steps: [file('src/broken.txt', 'BROKEN\n'), say('done!')] },
    { when: 'Task: rework', steps: [file('src/rework.txt'), say('ok')] },
    { when: 'Task: docs', steps: [file('docs/page.md', '# page\n'), say('ok')] },
    { when: 'Task: tests', steps: [file('src/new.check.txt'), say('ok')] },
    { when: 'Task: direct', steps: [file('direct.txt'), say('ok')] },
    { when: 'Task: nothing', steps: [say('there is nothing to do')] },
    {
      when: '\\(plan\\)',
      steps: [say('{"findings": [{"claim": "water is wet", "sources": [{"url": "https://w.example/1"}]}]}')],
    },
  ],
};
// Fails on the word BROKEN anywhere in src.
const CHECK = `import { readdirSync, readFileSync } from 'node:fs';
for (const name of readdirSync('src')) if (readFileSync('src/' + name, 'utf8').includes('BROKEN')) throw new Error('src/' + name + ' is broken');
`;

test('ten tasks of mixed kinds are worked off by two processes, with a quota hit, a policy recovery, a repair and a rework', async () => {
  const cwd = repository({ 'check.mjs': CHECK, 'src/start.txt': 'start\n', '.loopwright-note': '' });
  const quota = join(cwd, '.git', 'quota.json');
  write(cwd, { '.git/script.json': SCRIPT, '.git/quota.json': { steps: [{ quota: { inMs: 2500 } }] } });
  const env = {
    REPO_MODE: 'local-git',
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.git', 'locks'),
    WORKER_NO_CHANGE_RECOVERY_ATTEMPTS: '0',
  };
  const place = { cwd, env };
  // A second account whose quota is spent at first: an agent of the project's own that plays another script.
  const player = JSON.parse(
    readFileSync(
      new URL('../../src/agents/adapters/scripted/adapter.json', import.meta.url),
      'utf8',
    ).replaceAll('{here}', new URL('../../programs', import.meta.url).pathname),
  ) as { modes: { headless: { env?: object } } };
  player.modes.headless.env = { LOOPWRIGHT_SCRIPT: quota };
  write(cwd, { '.loopwright/adapters/metered.json': player });
  const add = async (title: string, ...more: string[]) => {
    const { stdout, stderr } = await loopwright(['task', 'add', title, '--json', ...more], place);
    expect(stderr).toBe('');
    return (JSON.parse(stdout) as { id: string }).id;
  };
  const checked = ['--allow', 'src/**', '--command', OK];
  const ids = {
    plain: await add('plain', ...checked),
    second: await add('second plain', ...checked),
    policy: await add('policy', ...checked),
    broken: await add('broken', ...checked),
    rework: await add('rework', ...checked),
    docs: await add('docs', '--allow', 'docs/**', '--command', OK),
    tests: await add('tests', ...checked),
    direct: await add('direct', '--mode', 'direct', '--allow', 'direct.txt', '--command', OK),
    nothing: await add('nothing', ...checked),
    research: await add(
      'is water wet?',
      '--kind',
      'research',
      '--context',
      JSON.stringify({ research: { stage: 'plan' } }),
    ),
    metered: await add('plain with another account', ...checked, '--agent', 'metered'),
  };
  const state = async (id: string) =>
    JSON.parse((await loopwright(['task', 'show', id, '--json'], place)).stdout) as {
      state: string;
      blockReason?: string;
      waitsUntil?: number;
      events: { at: number }[];
      runs?: { outcome?: { discarded?: string[] } }[];
    };

  const first = [start(['work', '--once', '--json'], place), start(['work', '--once', '--json'], place)];
  const ended = await Promise.all(first.map(({ ended: end }) => end));
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  const runs = ended.flatMap(({ stdout }) => jsonLines(stdout)).filter(({ type }) => type === 'task.claimed');
  // No task was run twice at once: each attempt was claimed by one process.
  const claims = runs.map(
    ({ task, claim }) => `${String(task)} ${String((claim as { epoch: number }).epoch)}`,
  );
  expect(new Set(claims).size).toBe(claims.length);

  for (const id of [ids.plain, ids.second, ids.policy, ids.broken, ids.rework, ids.docs, ids.tests]) {
    expect([id, await state(id)]).toMatchObject([id, { state: 'blocked', blockReason: 'awaiting_judge' }]);
  }
  expect(await state(ids.direct)).toMatchObject({ state: 'done' });
  expect(await state(ids.nothing)).toMatchObject({ state: 'done' });
  expect(await state(ids.research)).toMatchObject({ state: 'done' });
  expect(readFileSync(join(cwd, 'direct.txt'), 'utf8')).toBe('x\n');
  // The file outside the policy was undone before it was delivered.
  expect(git(cwd, 'show', '--stat', '--format=', `loopwright/task/${ids.policy}`)).not.toContain(
    'config/extra.txt',
  );
  expect(git(cwd, 'show', '--stat', '--format=', `loopwright/task/${ids.plain}`)).not.toContain(
    'dist/product.js',
  );
  const parked = await state(ids.metered);
  expect(parked).toMatchObject({ state: 'blocked', blockReason: 'quota_wait' });
  // At least half a minute, however short the provider says it is. Most of it passes by aging the rows; the rest is
  // waited for by the runtime below, which begins before it is over.
  const parkedAt = parked.events.at(-1)?.at ?? expect.fail('nothing was recorded');
  expect(parked.waitsUntil).toBeGreaterThanOrEqual(parkedAt + 30_000);
  const stateFolder = join(cwd, '.loopwright');
  const soon = Date.now() + 2500;
  rowsOf(stateFolder, 'update task set wake_at = ?, waits_until = ? where id = ?', [soon, soon, ids.metered]);
  rowsOf(stateFolder, 'update agent_block set until = ?', [soon]);

  // A rework carries the notes into the next attempt, which is verified from the start.
  expect((await loopwright(['judge', ids.rework, 'rework', 'write it as I said'], place)).code).toBe(0);
  // The quota is there again.
  write(cwd, { '.git/quota.json': { steps: [file('src/metered.txt'), say('ok')] } });
  const again = start(['work', '--json'], place);
  await again.saw(`"task":"${ids.metered}","type":"task.released"`);
  await again.saw(`"task":"${ids.rework}","type":"task.released"`);
  again.child.kill('SIGTERM');
  expect((await again.ended).code).toBe(143);
  expect(await state(ids.metered)).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
  expect(git(cwd, 'show', `loopwright/task/${ids.rework}:src/reworked.txt`)).toBe('as the person said');

  expect((await loopwright(['judge', ids.broken, 'approve'], place)).stdout).toContain('is done');
  expect(readFileSync(join(cwd, 'src/broken.txt'), 'utf8')).toBe('repaired\n');
  expect(existsSync(join(cwd, 'config/extra.txt'))).toBe(false);
  const story = (await loopwright(['show', ids.broken], place)).stdout;
  expect(story).toContain(`passed: ${OK}`);
});
