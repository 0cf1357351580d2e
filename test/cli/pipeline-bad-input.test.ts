import { existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENT_NAMES } from '../../src/kernel/agent-names.ts';
import { headless, project, sessionOf, stages } from './pipeline-support.ts';
import { loopwright, write } from './support.ts';

describe('bad input', () => {
  test.each([
    ['STG-03 a task without an id', { stages: [{ tasks: [{ adapter: 'scripted' }] }] }, /"id" is missing/],
    [
      'STG-03 a task without an adapter',
      { stages: [{ tasks: [{ id: 'a' }] }] },
      /Task "a".*"adapter" is missing/,
    ],
    [
      'STG-08 a headless task without a prompt',
      stages([headless('a', '  ')]),
      /Task "a" is headless and has no prompt/,
    ],
    [
      'STG-09 an extra argument that is no text',
      stages([headless('a', 'x', { extraArgs: ['-a', 1] })]),
      /Task "a", extraArgs\[1\]: .*must be a text, but is 1/,
    ],
    ['STG-17 no stage', { stages: [] }, /"stages" must be a list that is not empty/],
    ['STG-17 a stage without tasks', { stages: [{ tasks: [] }] }, /"tasks" must be a list that is not empty/],
    ['STG-17 one id twice', stages([headless('a', 'x')], [headless('a', 'y')]), /two tasks with the id "a"/],
    [
      'STG-17 another mode',
      stages([headless('a', 'x', { executionMode: 'fast' })]),
      /"executionMode" must be one of "interactive", "headless"/,
    ],
    [
      'ADP-11 an adapter that nobody knows',
      stages([{ id: 'a', adapter: 'nope' }]),
      /There is no agent "nope"\. Known are claude, .*codex, .*scripted/,
    ],
    [
      'an environment value that is no text',
      stages([headless('a', 'x', { env: { A: 1 } })]),
      /Task "a".*"A" must be a text/,
    ],
    [
      'a folder that leaves the tree',
      stages([headless('a', 'x', { cwd: '../up' })]),
      /Task "a": its cwd "..\/up" leads upwards/,
    ],
    [
      'what a task said that runs later',
      stages([headless('a', '{{tasks.b.output}}')], [headless('b', 'x')]),
      /task "b" is not in an earlier stage/,
    ],
    [
      'a limit that the CLI lacks',
      stages([{ id: 'a', adapter: 'codex', executionMode: 'headless', prompt: 'x', maxTurns: 3 }]),
      /codex .*turn/,
    ],
  ] as readonly [string, object, RegExp][])(
    '%s is refused before anything is started',
    async (_title, document, expected) => {
      const place = project(document);
      const { code, stderr } = await loopwright(['pipeline', 'p.json'], place);
      expect(code).toBe(1);
      expect(stderr).toMatch(expected);
      expect(existsSync(join(place.cwd, '.loopwright'))).toBe(false);
    },
  );

  test('a folder that is not there, or that a link leads out of the tree, starts no agent', async () => {
    const place = project(stages([headless('a', 'write it', { cwd: 'nowhere' }), headless('b', 'write it')]));
    const { code, stdout } = await loopwright(['pipeline', 'p.json', '--json'], place);
    expect(code).toBe(2);
    expect(stdout).toContain('its cwd \\"nowhere\\" does not exist');
    expect(stdout).not.toContain('task.started');
    const linked = project(stages([headless('a', 'write it', { cwd: 'up' })]));
    symlinkSync('..', join(linked.cwd, 'up'));
    const out = await loopwright(['pipeline', 'p.json', '--json', '--in-place'], linked);
    expect(out.stdout).toContain('leads out of the folder');
    const seen = await loopwright(['retry', sessionOf(place.cwd)], place);
    expect(seen.stdout).toMatch(/ {2}a: error, .*its cwd "nowhere" does not exist; make it/);
  });

  test('an agent inside a session cannot start another one, unless the manifest says so', async () => {
    const place = project(stages([headless('a', 'write it')]));
    const inside = { ...place.env, LOOPWRIGHT_SESSION: 'S' };
    const refused = await loopwright(['pipeline', 'p.json'], { ...place, env: inside });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('inside session S')]);
    const allowed = await loopwright(['pipeline', 'p.json'], {
      ...place,
      env: { ...inside, LOOPWRIGHT_ALLOW_NESTED: '1' },
    });
    expect(allowed.code).toBe(0);
  });

  test('a broken adapter file is named with file, line and field', async () => {
    const place = project(stages([{ id: 'a', adapter: 'mine' }]));
    write(place.cwd, {
      '.loopwright/adapters/mine.json':
        '{\n  "metadata": { "displayName": "Mine" },\n  "binary": { "comand": "x" },\n  "modes": {}\n}\n',
    });
    const { code, stderr } = await loopwright(['pipeline', 'p.json'], place);
    expect(code).toBe(1);
    expect(stderr).toMatch(/mine\.json:3.*comand/);
    const doctor = await loopwright(['doctor', '--json'], place);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('mine.json')]);
  });

  test('an agent that is not installed is named before anything is made, with how to get it', async () => {
    const place = project(stages([{ id: 'a', adapter: 'codex', prompt: 'x' }]));
    const { code, stderr } = await loopwright(['pipeline', 'p.json'], {
      ...place,
      env: { ...place.env, PATH: dirname(process.execPath) },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('npm install -g @openai/codex')]);
    expect(existsSync(join(place.cwd, '.loopwright'))).toBe(false);
    const listed = await loopwright(['agents', '--json'], place);
    expect(
      (JSON.parse(listed.stdout) as { agents: { type: string }[] }).agents.map(({ type }) => type),
    ).toEqual(AGENT_NAMES);
  });

  test('the agent that a block names itself is the one that must be there', async () => {
    const transitions = [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }];
    const graph = (workers: object, block: object) => {
      const blocks = { W: { instructions: 'x', transitions, ...block } };
      return { workers, nodes: { Main: { entry_block: 'W', blocks } } };
    };
    const place = { ...project({}), env: {} };
    write(place.cwd, {
      '.loopwright/adapters/gone.json': {
        metadata: { displayName: 'Gone' },
        binary: { command: 'gone-agent' },
        modes: { headless: { args: [] } },
      },
      'list.json': graph({}, { worker: 'agent', with: { agents: ['gone', 'scripted'] } }),
      'own.json': graph({ C: { agent: 'gone' } }, { worker: 'C', with: { agent: 'scripted' } }),
    });
    const list = await loopwright(['run', 'x', '--workflow', 'list.json'], place);
    expect([list.code, list.stderr]).toEqual([1, expect.stringContaining('gone is not installed')]);
    expect((await loopwright(['run', 'x', '--workflow', 'own.json'], place)).code).toBe(0);
  });

  test('ADP-10 a registered adapter passes validation; a graph is not a pipeline', async () => {
    const place = project(stages([{ id: 'a', adapter: 'gemini' }]));
    expect((await loopwright(['validate', 'p.json'], place)).code).toBe(0);
    const { code, stderr } = await loopwright(['pipeline', 'w.json'], place);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not a pipeline')]);
  });
});
