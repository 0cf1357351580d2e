import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { type ProcessIdentity, readIdentity } from '../../kernel/process-identity.ts';
import { endProcessTree } from '../../process/end-tree.ts';
import { ownIdentity, processState } from '../../process/identity.ts';
import { namesIn } from '../../process/if-there.ts';
import { writeOwnCommit } from '../checkpoints/commit.ts';
import { BoundGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import type { Repository } from '../git/repository.ts';
import { removeFolder } from '../worktrees/erase.ts';

export interface CandidateFolder {
  readonly id: string;
  readonly path: string;
  /** Notes a process that works there, so that whoever finds the folder after a kill can end it. */
  readonly started: (process: ProcessIdentity) => void;
}

export interface CandidatePlace {
  readonly repo: Repository;
  /** Where the folders of candidates are. */
  readonly home: string;
}

/**
 * A candidate's files in a worktree of their own, on no branch and with an index of its own, for as long as the action
 * takes. What a killed process left of an earlier one is taken away first.
 */
export async function withCandidateFolder<T>(
  place: CandidatePlace,
  { tree, baseCommit }: { readonly tree: string; readonly baseCommit: string },
  action: (folder: CandidateFolder) => Promise<T>,
): Promise<T> {
  const { repo, home } = place;
  await clearDeadCandidates(place);
  const id = randomBytes(8).toString('hex');
  const path = join(home, id);
  const note = new Note(home, id);
  const git = new BoundGit(repo.dir);
  try {
    const subject = `loopwright: what a delivery onto ${baseCommit} would give`;
    const commit = await writeOwnCommit(git, { tree, parents: [baseCommit], subject, trailers: {} });
    const add = ['worktree', 'add', '--quiet', '--detach', path, commit];
    await withRepoLock(repo, () => git.run(add), { purpose: 'making the files of a candidate' });
    return await action({ id, path, started: (process) => note.add(process) });
  } finally {
    await remove(place, id);
  }
}

/** Takes away what processes that are gone have left of their candidates, and ends what still runs there. */
export async function clearDeadCandidates(place: CandidatePlace): Promise<number> {
  let cleared = 0;
  for (const name of await namesIn(place.home)) {
    if (!name.endsWith(NOTE)) continue;
    const id = name.slice(0, -NOTE.length);
    const { owner, children } = readNote(join(place.home, name));
    if (owner !== undefined && processState(owner) !== 'gone') continue;
    for (const child of children) await endProcessTree(child, undefined, { folder: join(place.home, id) });
    await remove(place, id);
    cleared++;
  }
  return cleared;
}

async function remove({ repo, home }: CandidatePlace, id: string): Promise<void> {
  await withRepoLock(repo, () => removeFolder(repo, join(home, id), home), {
    purpose: 'removing the files of a candidate',
  });
  for (const name of [NOTE, `${NOTE}.draft`]) rmSync(join(home, `${id}${name}`), { force: true });
}

const NOTE = '.json';

/** Who made a candidate and what runs in it; written before the folder, so that a kill is found out. */
class Note {
  readonly #file: string;
  readonly #children: ProcessIdentity[] = [];

  constructor(home: string, id: string) {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    this.#file = join(home, `${id}${NOTE}`);
    this.#write();
  }

  add(child: ProcessIdentity): void {
    this.#children.push(child);
    this.#write();
  }

  #write(): void {
    const said = JSON.stringify({ owner: ownIdentity(), children: this.#children });
    writeFileSync(`${this.#file}.draft`, said, { mode: 0o600 });
    // In one step: half a note would look like one of nobody.
    renameSync(`${this.#file}.draft`, this.#file);
  }
}

function readNote(file: string): {
  readonly owner: ProcessIdentity | undefined;
  readonly children: readonly ProcessIdentity[];
} {
  try {
    const { owner, children } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly owner?: unknown;
      readonly children?: readonly unknown[];
    };
    const known = (children ?? []).flatMap((child) => readIdentity(child) ?? []);
    return { owner: readIdentity(owner), children: known };
  } catch (error) {
    // Cut short by a kill: it is nobody's.
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT')
      return { owner: undefined, children: [] };
    throw error;
  }
}
