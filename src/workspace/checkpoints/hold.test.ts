import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestRepo } from '../git/testing.ts';
import { holdSession, readHeld } from './hold.ts';
import { refspec } from './ref-names.ts';
import { TreeCheckpoints } from './tree-checkpoints.ts';
import { unholdSession } from './unhold.ts';

let first: TestRepo;
let second: string;
let worktree: string;
let sessionFolder: string;
const BYTES = Buffer.from([0, 255, 13, 10, 128, 10, 13]);

beforeEach(() => {
  first = new TestRepo('first');
  first.put('a.txt', 'one\n');
  first.put('gone.txt', 'x');
  first.commit();
  const remote = join(first.base, 'remote.git');
  second = join(first.base, 'second');
  first.git('clone', '-q', '--bare', '.', remote);
  first.git('remote', 'add', 'origin', remote);
  first.git('clone', '-q', remote, second);
  worktree = join(first.base, 'w1');
  first.git('worktree', 'add', '-q', '-b', 'loopwright/S1', worktree);
  sessionFolder = join(first.base, 'sessions', 'S1');
  mkdirSync(join(sessionFolder, 'logs'), { recursive: true });
  writeFileSync(join(sessionFolder, 'journal.1.jsonl'), '{"t":"created"}\r\n');
  writeFileSync(join(sessionFolder, 'manifest.json'), '{}');
  writeFileSync(join(sessionFolder, 'session.json'), '{}');
  writeFileSync(join(sessionFolder, 'session.json.77.tmp'), 'half');
  writeFileSync(join(sessionFolder, 'logs', '1.log'), BYTES);
});
afterEach(() => first.dispose());

const hold = () => holdSession({ worktree, session: 'S1', sessionFolder });

async function work(): Promise<void> {
  writeFileSync(join(worktree, 'a.txt'), 'by the agent\n');
  first.gitIn(worktree, 'commit', '-q', '-am', 'a commit of the agent');
  writeFileSync(join(worktree, 'new.txt'), 'new\n');
  unlinkSync(join(worktree, 'gone.txt'));
  await new TreeCheckpoints(worktree, 'S1').save(1);
  writeFileSync(join(worktree, 'half.txt'), 'half\n');
}

describe('B-04 a held session', () => {
  it.each([refspec(), 'refs/loopwright/S1/held:refs/loopwright/S1/held'])(
    'goes on in another clone after a push and a fetch of %s',
    async (spec) => {
      await work();
      const held = await hold();
      first.git('push', '-q', 'origin', spec);
      first.git('config', 'core.autocrlf', 'true');
      first.gitIn(second, 'config', 'core.autocrlf', 'true');
      first.gitIn(second, 'fetch', '-q', 'origin', spec);
      const found = await readHeld(second, 'S1');
      expect(found).toMatchObject({ commit: held.commit, branch: 'loopwright/S1', head: held.head });
      const other = join(first.base, 'w2');
      first.gitIn(
        second,
        '-c',
        'core.autocrlf=false',
        'worktree',
        'add',
        '-q',
        '-b',
        found.branch!,
        other,
        found.head!,
      );
      const folder = join(first.base, 'elsewhere', 'sessions', 'S1');
      const request = { worktree: other, session: 'S1', sessionFolder: folder };
      expect(await unholdSession(request)).toMatchObject({
        sessionFolder: 'written',
        files: { changed: ['gone.txt', 'half.txt', 'new.txt'] },
      });
      expect(readdirSync(other).sort()).toEqual(['.git', 'a.txt', 'half.txt', 'new.txt']);
      expect(readFileSync(join(folder, 'journal.1.jsonl'), 'utf8')).toBe('{"t":"created"}\r\n');
      expect(readFileSync(join(folder, 'logs', '1.log'))).toEqual(BYTES);
      expect(readdirSync(folder).sort()).toEqual([
        'journal.1.jsonl',
        'logs',
        'manifest.json',
        'session.json',
      ]);
      expect([statSync(folder).mode & 0o777, statSync(join(folder, 'manifest.json')).mode & 0o777]).toEqual([
        0o700, 0o600,
      ]);
      expect(await unholdSession(request)).toMatchObject({ sessionFolder: 'there', files: { changed: [] } });
      execFileSync('git', ['fsck', '--strict'], { cwd: second, stdio: 'ignore' });
    },
  );

  it('can be held again, which is nothing new without a change and pushes without force after one', async () => {
    await work();
    const once = await hold();
    first.git('push', '-q', 'origin', refspec('S1'));
    expect((await hold()).commit).toBe(once.commit);
    writeFileSync(join(sessionFolder, 'journal.2.jsonl'), '{}\n');
    const twice = await hold();
    expect(twice.commit).not.toBe(once.commit);
    first.git('push', '-q', 'origin', refspec('S1'));
    expect(twice.tree).toBe(once.tree);
  });

  it('changes neither index nor branch, and leaves no file behind', async () => {
    await work();
    const state = () => first.gitIn(worktree, 'status', '--porcelain=v2', '--branch', '-uall');
    const before = state();
    await hold();
    expect(state()).toBe(before);
    const gitDir = first.gitIn(worktree, 'rev-parse', '--absolute-git-dir').trim();
    expect(readdirSync(gitDir).filter((name) => name.startsWith('loopwright-folder'))).toEqual([]);
  });

  it('is not written over a session of the same name that is in another state', async () => {
    await work();
    await hold();
    writeFileSync(join(sessionFolder, 'journal.2.jsonl'), 'more\n');
    const before = readdirSync(worktree);
    await expect(unholdSession({ worktree, session: 'S1', sessionFolder })).rejects.toThrow(/another state/);
    expect(readdirSync(worktree)).toEqual(before);
  });

  it('is asked for by its ref when it is not there', async () => {
    await expect(readHeld(second, 'S1')).rejects.toMatchObject({
      message: expect.stringContaining('refs/loopwright/S1/held'),
      next: { label: expect.stringContaining('git fetch origin') },
    });
    rmSync(sessionFolder, { recursive: true });
    expect(existsSync(sessionFolder)).toBe(false);
  });
});
