import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';

const workflow = {
  nodes: {
    N: {
      entry_block: 'B',
      blocks: { B: { worker: 'Internal:Command', with: { argv: ['node', '-e', '0'] }, transitions: [] } },
    },
  },
};

/** A git that notes each of its calls. */
function countingGit(): { readonly path: string; calls(): number } {
  const bin = join(tempFolder(), 'bin');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho x >>'${bin}/calls'\nexec '${real}' "$@"\n`, {
    mode: 0o755,
  });
  return {
    path: `${bin}:${process.env['PATH'] ?? ''}`,
    calls() {
      const noted = readFileSync(join(bin, 'calls'), 'utf8').length / 2;
      writeFileSync(join(bin, 'calls'), '');
      return noted;
    },
  };
}

it('a run starts no more git processes however many worktrees of ended sessions are kept', async () => {
  const cwd = tempFolder();
  write(cwd, { 'w.json': workflow });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', ...args], { cwd });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
  const counting = countingGit();
  const counts: number[] = [];
  for (let run = 0; run < 6; run++) {
    const env = { PATH: counting.path };
    const { code, stderr } = await loopwright(['run', '-w', 'w.json', 'look'], { cwd, env });
    expect([code, stderr]).toEqual([0, '']);
    counts.push(counting.calls());
  }
  const [, second = 0, ...later] = counts;
  for (const count of later) expect(count).toBe(second);
});
