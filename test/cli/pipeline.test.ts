import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AgentRunner } from '../../src/agents/runner/pty.ts';
import { createMasker } from '../../src/kernel/mask.ts';
import { ANSWERED_ELSEWHERE, headless, project, sessionOf, stages } from './pipeline-support.ts';
import { jsonLines, loopwright, ROOT, type Started, start, write } from './support.ts';
import { commitAll, repository } from './workspace-support.ts';

async function asked(run: Started, task: string): Promise<void> {
  await run.saw(`? ${task} asks:`);
}

describe('pipeline', () => {
  test('STG-14 STG-15: an agent that asks is waited for, answered from another terminal, and asks again', async () => {
    const place = project(
      stages(
        [headless('api', 'write it'), headless('port', 'choose it')],
        [headless('next', 'talk {{tasks.port.output}}')],
      ),
      ANSWERED_ELSEWHERE,
    );
    const run = start(['pipeline', 'p.json', 'a server', '--json'], place);
    const question =
      '"type":"task.interaction","task":"port","question":"Which port?","choices":["80","8080"]';
    await run.saw(question);
    const id = sessionOf(place.cwd);
    const { stdout: page } = await loopwright(['show', id], place);
    expect(page).toContain('port asks\n  Which port? (1 80, 2 8080)');
    expect(page).toMatch(/next: answer port\n.* answer \S+ "<answer>" --task port\n/);
    expect((await loopwright(['sessions'], place)).stdout).toMatch(/^\S+ +asks you /m);
    const wrong = await loopwright(['answer', id, '9'], place);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('"9" is not one of the choices')]);
    expect(
      JSON.parse(readFileSync(join(place.cwd, '.loopwright/sessions', id, 'session.json'), 'utf8')),
    ).toMatchObject({ tasks: { port: 'WAITING_FOR_USER' } });
    const first = await loopwright(['answer', id, '2'], place);
    expect([first.code, first.stdout]).toEqual([0, 'Answered task port.\n']);
    await run.saw('took 8080');
    const second = await answerWhenAsked(id, '80', place);
    expect(second).toBe(0);
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    const events = jsonLines(stdout);
    expect(events.filter(({ type, task }) => type === 'task.interaction' && task === 'port')).toHaveLength(2);
    const statuses = events.flatMap(({ type, task, status }) =>
      type === 'task.status' && task === 'port' ? [status] : [],
    );
    expect(statuses).toEqual([
      'PENDING',
      'RUNNING',
      'WAITING_FOR_USER',
      'RUNNING',
      'WAITING_FOR_USER',
      'RUNNING',
      'DONE',
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'completed' });
    expect((await loopwright(['show', id], place)).stdout).not.toContain('asks');
  });

  test('a hint reaches the tasks that are run again, and no later stage', async () => {
    const place = project(
      stages(
        [headless('a', 'write it', { extraArgs: ['--script', 'twice.json'] }), headless('b', 'talk')],
        [headless('c', 'talk')],
      ),
    );
    write(place.cwd, { 'twice.json': { turns: [[{ fail: { message: 'no' } }], [{ say: 'ok' }]] } });
    commitAll(place.cwd, 'script');
    await loopwright(['pipeline', 'p.json'], place);
    const id = sessionOf(place.cwd);
    const again = await loopwright(['retry', id, '--guidance', 'use tabs'], place);
    expect(again.code).toBe(0);
    const folder = join(place.cwd, '.loopwright/sessions', id);
    const journals = readdirSync(folder).filter((name) => name.startsWith('journal'));
    const notes = journals.sort().flatMap((name) => jsonLines(readFileSync(join(folder, name), 'utf8')));
    const prompts = notes.flatMap(({ note }) => {
      const { task, said, text } = (note ?? {}) as { task?: string; said?: string; text?: string };
      return said === 'prompt' ? [`${task}: ${text}`] : [];
    });
    expect(prompts.toSorted((one, other) => one.localeCompare(other))).toEqual([
      'a: write it',
      'a: write it\n\n# HUMAN_GUIDANCE\nuse tabs',
      'b: talk',
      'c: talk',
    ]);
  });

  test('complete and stop from another terminal; stop counts as not done', async () => {
    const place = project(
      stages([{ id: 'chat', adapter: 'scripted', prompt: 'talk' }, headless('stuck', 'hang')]),
    );
    const run = start(['pipeline', 'p.json'], place);
    await run.saw('chat: running');
    await run.saw('stuck: running');
    const id = sessionOf(place.cwd);
    const headlessOne = await loopwright(['complete', id, '--task', 'stuck'], place);
    expect([headlessOne.code, headlessOne.stderr]).toEqual([1, expect.stringContaining('is headless')]);
    const unnamed = await loopwright(['stop', id], place);
    expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringContaining('chat, stuck')]);
    expect((await loopwright(['complete', id, '--task', 'chat'], place)).stdout).toBe('Task chat is done.\n');
    expect((await loopwright(['stop', id, '--task', 'stuck', '--json'], place)).code).toBe(0);
    const { code, stdout } = await run.ended;
    expect([code, stdout]).toEqual([2, expect.stringContaining('stopped by a person')]);
    const late = await loopwright(['complete', id, '--task', 'chat'], place);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('no agent of it runs')]);
  });

  test('the socket is for its owner only, and gone with the session', async () => {
    const place = project(stages([headless('stuck', 'hang')]));
    const run = start(['pipeline', 'p.json', '--json'], place);
    await run.saw('"type":"session.reachable"');
    const id = sessionOf(place.cwd);
    const { socket } = JSON.parse(
      readFileSync(join(place.cwd, '.loopwright/sessions', id, 'session.json'), 'utf8'),
    ) as { socket: string };
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    // The socket opens with the session: the task may still be starting.
    await run.saw('thinking');
    await loopwright(['stop', id], place);
    await run.ended;
    expect(existsSync(socket)).toBe(false);
    expect(readFileSync(join(place.cwd, '.loopwright/sessions', id, 'session.json'), 'utf8')).not.toContain(
      '"socket"',
    );
  });

  test('attach: a live terminal from another window, typed into, left and joined again', async () => {
    const place = project(stages([{ id: 'chat', adapter: 'scripted', prompt: 'talk' }]));
    const run = start(['pipeline', 'p.json'], place);
    await run.saw('chat: running');
    const id = sessionOf(place.cwd);
    const first = terminal(['attach', id, '--task', 'chat'], place);
    await first.saw('task>');
    first.type('choose one\r');
    await first.saw('Which port?');
    first.type('\u001d');
    await first.saw('detached, chat runs on');
    expect(await first.code).toBe(0);
    const second = terminal(['attach', id], place);
    await second.saw('Which port?');
    second.type('8080\r');
    await second.saw('took 8080');
    await loopwright(['complete', id], place);
    await second.saw('chat has ended');
    expect(await second.code).toBe(0);
    expect((await run.ended).code).toBe(0);
  });

  test('logs: the last words of one log stand before the next one', async () => {
    const place = project(stages([headless('first', 'write')], [headless('second', 'talk')]));
    await loopwright(['pipeline', 'p.json'], place);
    const log = join(place.cwd, '.loopwright/sessions', sessionOf(place.cwd), 'logs');
    const [name = ''] = readdirSync(log).sort();
    writeFileSync(join(log, name), 'begun\nand cut in the middle of a');
    const { stdout } = await loopwright(['logs', sessionOf(place.cwd)], place);
    expect(stdout.indexOf('in the middle of a')).toBeLessThan(stdout.indexOf('hello there'));
  });

  test('logs: in words, of one task, raw, and followed to the end', async () => {
    const tasks = [headless('api', 'write it'), headless('port', 'choose it')];
    const place = project(stages(tasks), ANSWERED_ELSEWHERE);
    const run = start(['pipeline', 'p.json'], place);
    await asked(run, 'port');
    const id = sessionOf(place.cwd);
    const follow = start(['logs', id, '-f', '--task', 'port'], place);
    await answerWhenAsked(id, '80', place);
    await answerWhenAsked(id, '80', place);
    const question = '? Which port? (1 80, 2 8080)\n';
    expect((await follow.ended).stdout).toBe(`${question}took 80\n${question}then 80\n`);
    await run.ended;
    expect((await loopwright(['logs', id, '--task', 'api'], place)).stdout).toBe(
      'looking\n· write api.txt\n[900 tokens in, 100 out, $0.0200]\nwrote the api\n',
    );
    expect((await loopwright(['logs', id, '--task', 'api', '--raw'], place)).stdout).toContain(
      '{"type":"text","text":"looking"}',
    );
    const missing = await loopwright(['logs', id, '--task', 'apo'], place);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('Did you mean "api"?')]);
  });

  test('an agent that takes over on a spent quota is named', async () => {
    const transitions = [
      { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
      { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
    ];
    const manifest = {
      workers: { Coder: { agents: ['scripted', 'second'] } },
      nodes: {
        Main: {
          entry_block: 'Work',
          blocks: { Work: { worker: 'Coder', instructions: 'do it', transitions } },
        },
      },
    };
    const second = {
      metadata: { displayName: 'Second' },
      binary: { command: 'node' },
      modes: { headless: { args: ['-p', '1'], promptPosition: 'last', endOfOptions: true } },
    };
    const cwd = repository({
      'm.json': manifest,
      'script.json': { turns: [[{ quota: { inMs: 3_600_000 } }]] },
    });
    write(cwd, { '.loopwright/adapters/second.json': second });
    const env = { LOOPWRIGHT_SCRIPT: join(cwd, 'script.json') };
    const { code, stdout } = await loopwright(['run', 'go', '--workflow', 'm.json'], { cwd, env });
    expect(stdout).toContain('  Work: second takes over from scripted\n');
    expect(code).toBe(0);
  });

  test('a spent quota parks the stage, which continues by itself and does not run what is done again', async () => {
    const place = project({
      id: 'p',
      stages: [
        {
          tasks: [
            headless('api', 'write it'),
            headless('later', 'quota', { extraArgs: ['--script', 'quota.json'] }),
          ],
        },
      ],
    });
    write(place.cwd, { 'quota.mjs': '' });
    const script = { turns: [{ steps: [{ quota: { inMs: 300 } }] }] };
    write(place.cwd, { 'quota.json': script });
    const run = start(['pipeline', 'p.json', '--json', '--in-place', '--no-wait'], place);
    const { stdout, code } = await run.ended;
    expect(code).toBe(2);
    expect(stdout).toContain('"type":"session.parked"');
    const id = sessionOf(place.cwd);
    write(place.cwd, { 'quota.json': { turns: [{ steps: [{ say: 'back again' }] }] } });
    const follow = start(['logs', id, '-f', '--task', 'later'], place);
    const resumed = await loopwright(['resume', id, '--json'], place);
    expect(resumed.code).toBe(0);
    // Whoever followed it while it was parked has seen how it went on.
    const seen = (await follow.ended).stdout;
    expect(seen).toContain('back again');
    // And what was printed before is still there.
    expect((await loopwright(['logs', id, '--task', 'later'], place)).stdout).toBe(seen);
    const started = jsonLines(resumed.stdout).filter(({ type }) => type === 'task.started');
    expect(started.map(({ task }) => task)).toEqual(['later']);
  });
});

/** Answers as soon as the question stands; the agent may still be on its way to it. */
async function answerWhenAsked(id: string, text: string, place: { cwd: string }): Promise<number | null> {
  for (;;) {
    const { code, stderr } = await loopwright(['answer', id, text], place);
    if (code === 0 || !/No task waits|has not asked/.test(stderr)) return code;
  }
}

/** The command on a terminal of its own. */
function terminal(args: readonly string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
  const command = [join(ROOT, 'dist/bin/loopwright.js'), ...args];
  const runner = new AgentRunner({
    adapter: { name: 'terminal', getLaunchConfig: () => ({ command: process.execPath, args: command }) },
    cwd,
    // What runs here stands for a person, not for an agent, which the runner takes it for.
    env: { ...process.env, ...env, LOOPWRIGHT_ALLOW_NESTED: '1' },
    masker: createMasker([]),
  });
  onTestFinished(() => runner.stop());
  let seen = '';
  const looks = new Set<() => void>();
  runner.events.subscribe((event) => {
    if (event.type === 'data') seen += event.clean;
    for (const look of looks) look();
  });
  const started = runner.start();
  return {
    async saw(text: string): Promise<void> {
      await started;
      await new Promise<void>((resolve, reject) => {
        const look = () => (seen.includes(text) ? resolve() : undefined);
        looks.add(look);
        look();
        void runner.ended.then(() => reject(new Error(`ended without "${text}":\n${seen}`)));
      });
    },
    type: (text: string) => runner.send(text),
    code: runner.ended.then((end) => (end.kind === 'exited' ? end.code : end.kind)),
  };
}
