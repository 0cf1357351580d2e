import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/backlog/task.ts';
import { shortId } from '../../src/kernel/short-ids.ts';
import { loopwright, tempFolder, write } from '../cli/support.ts';

describe('loopwright task', () => {
  const run = async (cwd: string, ...args: string[]) => {
    const { code, stdout, stderr } = await loopwright(args, { cwd });
    return { code, stdout, stderr };
  };
  const add = async (cwd: string, ...args: string[]): Promise<Task> => {
    const { code, stdout, stderr } = await run(cwd, 'task', 'add', ...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  it('add, list, show, edit, cancel, requeue and rm tell the whole life of a task', async () => {
    const cwd = tempFolder();
    const first = await add(
      cwd,
      'First thing',
      '--allow',
      'src/',
      '--command',
      'npm test',
      '--priority',
      '5',
    );
    expect(first).toMatchObject({
      state: 'queued',
      allowedPaths: ['src/'],
      priority: 5,
      waitsFor: 'a free worker',
    });
    const second = await add(cwd, 'Second thing', '--needs', first.id.slice(-6), '--role', 'tester');
    expect(second).toMatchObject({ dependencies: [first.id], waitsFor: `task ${first.id}` });

    const list = await run(cwd, 'task', 'list');
    expect(list.stdout).toMatch(/First thing .*a free worker\n.*Second thing .*task /);
    const edited = await run(cwd, 'task', 'edit', second.id, '--no-needs', '--agent', 'claude', '--json');
    expect(JSON.parse(edited.stdout)).toMatchObject({ dependencies: [], agents: ['claude'] });

    const cancelled = await run(cwd, 'task', 'cancel', first.id, '--reason', 'not now');
    expect(cancelled.stdout).toContain(`Cancelled ${shortId(first.id)}, which is cancelled.`);
    const again = await run(cwd, 'task', 'requeue', first.id, '--notes', 'be careful', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ state: 'queued', notes: 'be careful' });

    const shown = await run(cwd, 'task', 'show', first.id.slice(0, 26));
    for (const word of ['First thing', 'npm test', 'not now', 'be careful', 'next:'])
      expect(shown.stdout).toContain(word);
    const removed = await run(cwd, 'task', 'rm', first.id, '--json');
    expect(JSON.parse(removed.stdout)).toEqual({ apiVersion: 1, id: first.id, removed: true });
    const left = JSON.parse((await run(cwd, 'task', 'list', '--json')).stdout).tasks;
    expect(left).toMatchObject([{ id: second.id }]);
  });

  it('an agent that nobody knows is refused by add, edit and import; one of the project is not', async () => {
    const cwd = tempFolder();
    const { id } = await add(cwd, 'one', '--agent', 'codex');
    write(cwd, { 'plan.md': '- [ ] Two\n  agents: gemini, zzz\n' });
    for (const args of [
      ['task', 'edit', id, '--agent', 'zzz'],
      ['task', 'import', 'plan.md'],
    ]) {
      const refused = await run(cwd, ...args);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('There is no agent "zzz".'),
      ]);
      expect(refused.stderr).toContain('.loopwright/adapters/zzz.json');
    }
    expect(JSON.parse((await run(cwd, 'task', 'list', '--json')).stdout).tasks).toMatchObject([
      { id, agents: ['codex'] },
    ]);
    write(cwd, {
      '.loopwright/adapters/zzz.json': {
        metadata: { displayName: 'Z' },
        binary: { command: 'zzz' },
        modes: { headless: { args: [], promptPosition: 'last' } },
      },
    });
    expect((await run(cwd, 'task', 'edit', id, '--agent', 'zzz')).code).toBe(0);
  });

  it('import adds what is new, once', async () => {
    const cwd = tempFolder();
    write(cwd, {
      'plan.md': '- [ ] One\n  allow: src/\n- [x] Old\n- [ ] Two\n  needs: One\n',
      'plan.json': { tasks: [{ title: 'Three', role: 'docser' }] },
    });
    expect((await run(cwd, 'task', 'import', 'plan.md')).stdout).toContain('2 tasks added.');
    expect((await run(cwd, 'task', 'import', 'plan.md')).stdout).toContain('0 tasks added, 2 known already.');
    const { added } = JSON.parse((await run(cwd, 'task', 'import', 'plan.json', '--json')).stdout);
    expect(added).toHaveLength(1);
    const board = await run(cwd, 'board');
    expect(board.stdout).toMatch(/^queued 3\n/);
    for (const title of ['One', 'Two', 'Three']) expect(board.stdout).toContain(title);
    expect(Object.keys(JSON.parse((await run(cwd, 'board', '--json')).stdout))).toContain('running');
  });

  it.each([
    [['task', 'add', 'x', '--role', 'testr'], 'did you mean "tester"?'],
    [['task', 'add', 'x', '--agent', 'cladue'], 'There is no agent "cladue". Did you mean "claude"?'],
    [['task', 'add', 'x', '--mode', 'svn'], 'mode "svn" is not one of'],
    [['task', 'add', 'x', '--allow', '../up'], 'leads upwards'],
    [['task', 'add', 'x', '--priority', 'high'], '"high" is not a priority'],
    [['task', 'add', 'x', '--context', '[1]'], '--context is not a JSON object'],
    [['task', 'add', 'x', '--needs', 'ABCDEFGH'], 'There is no task "ABCDEFGH"'],
    [['task', 'show', 'ABCDEFGH'], 'There is no task "ABCDEFGH"'],
    [['task', 'shwo', 'x'], "unknown command 'shwo'"],
    [['task', 'list', '--state', 'runing'], 'Did you mean "running"?'],
    [['task', 'import', 'notes.txt'], 'neither Markdown nor JSON'],
    [['task', 'import', 'gone.md'], 'gone.md'],
  ])('%j is refused with what to do', async (args, message) => {
    const { code, stdout, stderr } = await run(tempFolder(), ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain('next:');
  });

  it('dependencies in a circle and a task that is done say why not', async () => {
    const cwd = tempFolder();
    const first = await add(cwd, 'First');
    const second = await add(cwd, 'Second', '--needs', first.id);
    const circle = await run(cwd, 'task', 'edit', first.id, '--needs', second.id);
    expect([circle.code, circle.stderr]).toEqual([1, expect.stringContaining('go in a circle')]);
    const requeued = await run(cwd, 'task', 'requeue', first.id);
    expect([requeued.code, requeued.stderr]).toEqual([
      1,
      expect.stringContaining('is queued: it cannot be put back'),
    ]);
  });
});
