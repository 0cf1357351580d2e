import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restorable, restoreTask } from '../../src/tasks/prepare/direct/restore-task.ts';
import { ModeLab, REQUEST, read, remove, TASK, write } from './lab.ts';

let lab: ModeLab;
beforeEach(() => {
  lab = new ModeLab();
  rmSync(join(lab.dir, '.git'), { recursive: true });
});
afterEach(() => lab.dispose());

const NONE = { changed: [], added: [], removed: [] };
const state = () => join(lab.dir, '.loopwright');

describe('direct mode', () => {
  it('RUN-13 RUN-14 RUN-15 RUN-16 works in place, and lists what was changed, added and removed', async () => {
    const { path, taskTree, tree } = await lab.prepare('direct');
    expect(path).toBe(lab.dir);
    expect(Object.keys(tree ?? {})).toEqual(['identity']);
    expect(await taskTree.changes()).toEqual(NONE);
    write(path, 'src/a.txt', 'two\n');
    utimesSync(join(path, 'src/a.txt'), 5, 5);
    write(path, 'b.txt', 'b\n');
    write(path, 'noise.log', 'ignored\n');
    remove(path, 'README.md');
    expect(await taskTree.changes()).toEqual({
      changed: ['src/a.txt'],
      added: ['b.txt'],
      removed: ['README.md'],
    });
    expect([...(await taskTree.ignored(['noise.log', 'keep.log', 'b.txt']))]).toEqual(['noise.log']);
    expect([...(await taskTree.tracked(['src/a.txt', 'b.txt']))]).toEqual(['src/a.txt']);
  });

  it('RUN-15 LOCAL_REPO_PATH decides where; a missing folder is reported before anything is made', async () => {
    lab.settings = { path: 'src' };
    expect((await lab.prepare('direct')).path).toBe(join(lab.dir, 'src'));
    rmSync(state(), { recursive: true });
    lab.settings = { path: 'gone' };
    await expect(lab.prepare('direct')).rejects.toThrow(/LOCAL_REPO_PATH is .*gone, which is not a folder/);
    expect(existsSync(state())).toBe(false);
  });

  it('RUN-18 RUN-19 ST-02 delivers a direct_edit with three groups and estimates, without a review', async () => {
    const tree = await lab.prepare('direct');
    write(tree.path, 'src/a.txt', `one\n${'x'.repeat(80)}`);
    write(tree.path, 'b.txt', 'y'.repeat(81));
    remove(tree.path, 'README.md');
    const delivery = await tree.deliver(REQUEST);
    expect(delivery).toMatchObject({
      review: false,
      artifacts: [
        {
          type: 'direct_edit',
          ref: 'run-1',
          data: {
            changed: ['src/a.txt'],
            added: ['b.txt'],
            removed: ['README.md'],
            estimatedLines: { estimate: true, added: 5, removed: 1 },
            evidence: 'node check.js: passed',
          },
        },
      ],
    });
    expect(await (await lab.prepare('direct')).deliver(REQUEST)).toEqual(delivery);
  });

  it('POL-07 an added file goes to the trash, a changed one is kept and can be put back', async () => {
    const claim = lab.claim({ task: { allowedPaths: ['src/**'] } });
    const { path, taskTree } = await lab.prepare('direct', claim);
    write(path, 'src/a.txt', 'two\n');
    write(path, 'deep/junk.txt', 'junk\n');
    write(path, 'README.md', 'spoiled by the agent\n');
    expect(await taskTree.discard(['deep/junk.txt', 'README.md'])).toEqual({
      discarded: ['deep/junk.txt'],
      kept: [{ path: 'README.md', reason: expect.stringContaining('it can be restored') as string }],
    });
    expect(existsSync(join(path, 'deep'))).toBe(false);
    expect(read(state(), 'trash/run-1/deep/junk.txt')).toBe('junk\n');
    expect(await restorable(state(), TASK)).toEqual([
      { path: 'README.md', what: 'changed', copy: true, since: false },
      { path: 'src/a.txt', what: 'changed', copy: true, since: false },
    ]);
    const result = await restoreTask(state(), TASK, ['README.md']);
    expect(result).toMatchObject({ restored: ['README.md'], kept: [] });
    expect(read(path, 'README.md')).toBe('hello\n');
    expect(read(result.trash, 'README.md')).toBe('spoiled by the agent\n');
    const again = await lab.prepare('direct', claim);
    expect(await again.taskTree.changes()).toEqual({ ...NONE, changed: ['src/a.txt'] });
  });

  it('what the task may change comes back too, changed in place or deleted; what is too large is named before', async () => {
    lab.put('src/gone.txt', 'gone\n');
    writeFileSync(join(lab.dir, 'src/huge.bin'), '');
    truncateSync(join(lab.dir, 'src/huge.bin'), 40 * 1024 * 1024);
    const claim = lab.claim({ task: { allowedPaths: ['src/**'] } });
    const { path, notes } = await lab.prepare('direct', claim);
    expect(notes).toEqual([expect.stringContaining('no copy is kept of src/huge.bin')]);
    // In place: a hard link would have been written through.
    appendFileSync(join(path, 'src/a.txt'), 'and more\n');
    remove(path, 'src/gone.txt');
    remove(path, 'src/huge.bin');
    expect(await restoreTask(state(), TASK)).toMatchObject({
      restored: ['src/a.txt', 'src/gone.txt'],
      kept: ['src/huge.bin'],
    });
    expect([read(path, 'src/a.txt'), read(path, 'src/gone.txt')]).toEqual(['one\n', 'gone\n']);
  });

  it('a run that continues a session compares with the same beginning', async () => {
    const first = await lab.prepare('direct');
    write(first.path, 'b.txt', 'b\n');
    await first.close();
    const second = await lab.prepare('direct', lab.claim({ runId: 'run-2', continues: true }));
    expect(await second.taskTree.changes()).toEqual({ ...NONE, added: ['b.txt'] });
    expect(existsSync(join(state(), 'runs/run-1/before.json'))).toBe(true);
    expect(existsSync(join(state(), 'runs/run-2'))).toBe(false);
  });

  it('a new attempt still answers for what the last one left, not for what a person did since', async () => {
    const claim = lab.claim({ task: { allowedPaths: ['src/**'] } });
    const first = await lab.prepare('direct', claim);
    write(first.path, 'README.md', 'spoiled\n');
    write(first.path, 'junk.txt', 'junk\n');
    await first.close();
    write(first.path, 'by-a-person.txt', 'x\n');
    const next = lab.claim({ runId: 'run-2', sessionId: 's2', task: { allowedPaths: ['src/**'] } });
    const second = await lab.prepare('direct', next);
    expect(await second.taskTree.changes()).toEqual({ ...NONE, changed: ['README.md'], added: ['junk.txt'] });
    expect((await second.taskTree.discard(['junk.txt'])).discarded).toEqual(['junk.txt']);
    expect((await restoreTask(state(), TASK)).restored).toEqual(['README.md']);
    expect(read(first.path, 'README.md')).toBe('hello\n');
    expect(await second.taskTree.discard(['README.md'])).toMatchObject({ kept: [{ path: 'README.md' }] });
  });

  it('what somebody else changed or removed since the task goes back only when it is named', async () => {
    const claim = lab.claim({ task: { allowedPaths: ['src/**'] } });
    lab.put('docs/x.md', 'x\n');
    const tree = await lab.prepare('direct', claim);
    const { path } = tree;
    write(path, 'README.md', 'spoiled\n');
    await tree.close();
    remove(path, 'docs/x.md');
    expect(await restorable(state(), TASK)).toEqual([
      { path: 'README.md', what: 'changed', copy: true, since: false },
      { path: 'docs/x.md', what: 'removed', copy: true, since: true },
    ]);
    expect((await restoreTask(state(), TASK)).restored).toEqual(['README.md']);
    expect(existsSync(join(path, 'docs/x.md'))).toBe(false);
    expect((await restoreTask(state(), TASK, ['docs/x.md'])).restored).toEqual(['docs/x.md']);
  });

  it('forgets a task that has ended, and keeps its trash', async () => {
    const tree = await lab.prepare('direct', lab.claim({ task: { allowedPaths: ['src/**'] } }));
    write(tree.path, 'junk.txt', 'junk\n');
    await tree.taskTree.discard(['junk.txt']);
    await tree.close({ ended: true });
    expect(existsSync(join(state(), 'runs/run-1'))).toBe(false);
    expect(read(state(), 'trash/run-1/junk.txt')).toBe('junk\n');
    await expect(restorable(state(), TASK)).rejects.toThrow('Nothing is kept of task');
  });

  it('does not put a file back through a link that leads out', async () => {
    const claim = lab.claim({ task: { allowedPaths: ['src/**'] } });
    lab.put('docs/x.md', 'x\n');
    const { path } = await lab.prepare('direct', claim);
    rmSync(join(path, 'docs'), { recursive: true });
    mkdirSync(join(lab.base, 'outside'));
    symlinkSync(join(lab.base, 'outside'), join(path, 'docs'));
    expect(await restoreTask(state(), TASK)).toMatchObject({ restored: [], kept: ['docs/x.md'] });
    expect(existsSync(join(lab.base, 'outside/x.md'))).toBe(false);
  });

  it('a damaged beginning is reported, not guessed', async () => {
    await lab.prepare('direct');
    write(state(), 'runs/run-1/before.json', '{"root":');
    await expect(lab.prepare('direct')).rejects.toThrow(/before\.json cannot be read/);
  });

  it('RUN-20 needs no git: neither a repository nor a binary in PATH', () => {
    const empty = join(lab.base, 'empty');
    mkdirSync(empty);
    const script = new URL('direct-without-git.mjs', import.meta.url);
    const output = execFileSync(process.execPath, [script.pathname, lab.dir], {
      env: { PATH: empty, HOME: lab.base },
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toMatchObject({
      changes: { ...NONE, added: ['made.txt'] },
      types: ['direct_edit'],
      compared: false,
    });
    expect(readFileSync(join(lab.dir, 'made.txt'), 'utf8')).toBe('made\n');
  });

  it('trees are tried with what is installed in the folder, one after the other', async () => {
    write(lab.dir, 'node_modules/p/index.js', 'installed\n');
    const { path, inspection } = await lab.prepare('direct');
    write(path, 'src/a.txt', 'two\n');
    utimesSync(join(path, 'src/a.txt'), 5, 5);
    write(path, 'b.txt', 'b\n');
    const [base = '', delivered = ''] = [await inspection?.base(), await inspection?.delivered()];
    const seen = await inspection?.withFolder(async (put) => {
      const look = async (tree: string) => {
        const folder = await put(tree);
        const files = ['src/a.txt', 'b.txt', 'node_modules/p/index.js'];
        return files.map((file) => existsSync(join(folder, file)) && read(folder, file));
      };
      return [await look(delivered), await look(base)];
    }, new AbortController().signal);
    expect(seen).toEqual([
      ['two\n', 'b\n', 'installed\n'],
      ['one\n', false, 'installed\n'],
    ]);
  });
});
