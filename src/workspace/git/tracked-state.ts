import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { STATE_FOLDER } from '../../config/config-file.ts';
import { isStateName } from '../../config/state-names.ts';
import { BoundGit } from './bound-git.ts';

/** A larger index costs more to read than git costs to ask. */
const LARGEST_READ = 16 * 1024 * 1024;
const MOST_NAMED = 5;

/**
 * State of ours that git tracks: sessions, a backlog, worktrees that came with a clone and were never made here. Names
 * of them, at the top of `.loopwright/`. git is only asked when its index mentions the folder.
 */
export async function trackedState(projectDir: string): Promise<string[]> {
  const index = indexFile(projectDir);
  if (index === undefined || mentions(index, `${STATE_FOLDER}/`) === false) return [];
  const { code, stdout } = await new BoundGit(projectDir).try(['ls-files', '-z', '--', STATE_FOLDER]);
  if (code !== 0) return [];
  const names = stdout
    .split('\0')
    .filter((path) => path !== '')
    .map(
      (path) => path.slice(path.indexOf(`${STATE_FOLDER}/`) + STATE_FOLDER.length + 1).split('/')[0] ?? '',
    );
  return [...new Set(names)].filter(isStateName).slice(0, MOST_NAMED);
}

/** Undefined where there is no repository or nothing was ever added to it. */
function indexFile(projectDir: string): string | undefined {
  for (let folder = resolve(projectDir); ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    if (existsSync(git)) {
      const index = statSync(git).isDirectory() ? join(git, 'index') : indexOfWorktree(folder, git);
      return index !== undefined && existsSync(index) ? index : undefined;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

function indexOfWorktree(folder: string, file: string): string | undefined {
  const [, named] = /^gitdir: (.+)\n?$/.exec(readFileSync(file, 'utf8')) ?? [];
  return named === undefined ? undefined : join(resolve(folder, named), 'index');
}

/**
 * Whether an index names a path with these words in it; undefined where only git can tell. Versions 2 and 3 hold every
 * path as it is; version 4 shortens them, and a split (`link`) or sparse (`sdir`) index holds a part of them.
 */
function mentions(index: string, words: string): boolean | undefined {
  if (statSync(index).size > LARGEST_READ) return undefined;
  const bytes = readFileSync(index);
  const version = bytes.toString('latin1', 0, 4) === 'DIRC' && bytes.length >= 12 ? bytes.readUInt32BE(4) : 0;
  const isWhole = (version === 2 || version === 3) && !bytes.includes('link\0') && !bytes.includes('sdir\0');
  return isWhole ? bytes.includes(words) : undefined;
}
