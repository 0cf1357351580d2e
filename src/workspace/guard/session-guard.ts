import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStateName } from '../../config/state-names.ts';
import { errorCode } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { ownGitFolder } from '../../process/own-git-folder.ts';
import { headCommit } from '../checkpoints/commit.ts';
import { BoundGit } from '../git/bound-git.ts';
import { locate } from './locate.ts';
import {
  changesBetween,
  type Picture,
  pictureOfFolder,
  pictureOfRepository,
  pictureOfSettings,
} from './picture.ts';
import { type Refs, refsOf, refsTouched } from './refs.ts';
import { holdTrust, releaseTrust, type Trust, trustSettings, trustTree } from './trusted.ts';

/** What a session's children must leave alone, as it was before the first of them ran. */
interface Before {
  readonly repository: Picture;
  readonly refs: Refs;
  readonly state: Picture;
  readonly tree: Picture;
  /** The commit that its worktree was at. */
  readonly base?: string | undefined;
}

type First = Omit<Before, 'tree' | 'base'>;

export interface GuardedPlaces {
  /** A folder of the repository that the session's work comes from and goes to. */
  readonly repoDir: string;
  /** `.loopwright` of the project. */
  readonly stateDir: string;
  /** Where this session keeps its files. */
  readonly sessionDir: string;
  /** Somebody else looks after the `.git` of the tree, and puts it right. */
  readonly treeIsHealed?: boolean;
  /** Whether a wall keeps the children from everything but their tree. */
  readonly isWalled: () => Promise<boolean>;
}

const FILE = 'repository.json';

/**
 * Watches over what steers git and loopwright while the children of a session run. Behind a wall they reach their
 * tree alone; without one everything is looked at, and what changed beside a session cannot be told from what it did.
 */
export class SessionGuard {
  readonly #places: GuardedPlaces;
  #trust: Trust | undefined;
  /** Before anything was started for the session. */
  readonly #first: First;
  readonly #kept: Before | undefined;
  #before: Before | undefined;
  #tree = '';
  /** Of the worktree: a project can be a folder below it. */
  #top = '';
  #isKept = false;
  /** Git's entry for a worktree when it was begun in: its `.git` can be made to lead elsewhere. */
  #entry: string | undefined;

  /**
   * Looks at once. `crashed`: the session was cut off in the middle of a step, so what it may have changed is held
   * against how things were before it began; after any other end they are as a person left them.
   */
  constructor(places: GuardedPlaces, { crashed = false }: { readonly crashed?: boolean } = {}) {
    this.#places = places;
    this.#kept = crashed ? readBefore(places.sessionDir) : undefined;
    this.#first = this.#kept ?? this.#look();
  }

  /** Before the first step, when the tree is there. */
  async begin(tree: string): Promise<void> {
    this.#tree = tree;
    const found = locate(tree);
    this.#top = found?.top ?? tree;
    this.#entry = found && found.gitDir !== found.commonDir ? found.gitDir : undefined;
    const base = (await this.#places.isWalled()) ? undefined : await this.#head();
    this.#before = this.#kept ?? { ...this.#first, tree: this.#lookAtTree(), base };
    if (!this.#kept) keepBefore(this.#places.sessionDir, this.#before);
    this.#isKept = existsSync(join(this.#places.sessionDir, FILE));
    this.#trust = holdTrust();
    const [{ commonDir }, own] = [locate(this.#places.repoDir) ?? {}, locate(tree)];
    if (commonDir !== undefined) trustSettings(this.#trust, commonDir, this.#before.repository);
    if (own && !this.#places.treeIsHealed) trustTree(this.#trust, own.top, own.gitDir);
  }

  end(): void {
    if (this.#trust) releaseTrust(this.#trust);
  }

  /** What is not as it was, for a person. */
  async changed(): Promise<readonly string[]> {
    const before = this.#before;
    if (!before) return [];
    const inTree = changesBetween(before.tree, this.#lookAtTree());
    const { commonDir } = locate(this.#places.repoDir) ?? {};
    if (await this.#places.isWalled()) {
      // Nobody but the person can have written these: git goes on with what they say now.
      if (commonDir !== undefined && inTree.length === 0 && this.#trust)
        trustSettings(this.#trust, commonDir);
      return inTree;
    }
    const { repository, state } = this.#look();
    const found = [
      ...inTree,
      ...changesBetween(before.repository, repository),
      ...changesBetween(before.state, state),
    ];
    // Git is asked about refs only while it may be run at all.
    if (found.length > 0 || commonDir === undefined) return found;
    const head = await this.#head();
    return refsTouched(commonDir, before.refs, head === before.base ? undefined : head);
  }

  isEmptied(): boolean {
    return this.#tree !== '' && !holdsAFile(this.#tree);
  }

  /** The `.git` of a worktree only says where git keeps it, which is known. */
  putBack(): readonly string[] {
    if (this.#places.treeIsHealed) return [];
    const link = join(this.#top, '.git');
    const isThere = lstatSync(link, { throwIfNoEntry: false }) !== undefined;
    if (this.#entry === undefined || isThere || !existsSync(this.#top)) return [];
    writeFileSync(link, `gitdir: ${this.#entry}\n`);
    return ['.git (deleted, and put back)'];
  }

  missingRecords(): string | undefined {
    const { sessionDir } = this.#places;
    return this.#isKept && !existsSync(join(sessionDir, FILE)) ? sessionDir : undefined;
  }

  #lookAtTree(): Picture {
    const { '.git': link, ...seen } = pictureOfTree(this.#tree);
    const rest = { ...seen, ...(this.#entry === undefined ? {} : pictureOfRecords(this.#entry)) };
    return this.#places.treeIsHealed || link === undefined ? rest : { '.git': link, ...rest };
  }

  #look(): First {
    const { repoDir, stateDir } = this.#places;
    const { commonDir } = locate(repoDir) ?? {};
    return {
      repository: commonDir === undefined ? {} : pictureOfRepository(commonDir),
      refs: commonDir === undefined ? {} : refsOf(commonDir),
      state: pictureOfFolder(stateDir, '.loopwright', isStateName),
    };
  }

  /** The commit that a worktree is at; a session in place has none of its own. */
  async #head(): Promise<string | undefined> {
    const [own, main] = [locate(this.#tree), locate(this.#places.repoDir)];
    return own && main && own.top !== main.top ? headCommit(new BoundGit(this.#tree)) : undefined;
  }
}

/** What had changed in the repository of a session since it began; nothing is known where it noted nothing. */
export function changedSinceSession(sessionDir: string, repoDir: string): readonly string[] {
  const before = readBefore(sessionDir);
  const { commonDir } = locate(repoDir) ?? {};
  if (!before || commonDir === undefined) return [];
  return changesBetween(before.repository, pictureOfRepository(commonDir));
}

/** From now on the repository counts as it is: somebody was told what had changed. */
export function renewBefore(sessionDir: string, repoDir: string): void {
  const before = readBefore(sessionDir);
  const { commonDir } = locate(repoDir) ?? {};
  if (before && commonDir !== undefined)
    keepBefore(sessionDir, { ...before, repository: pictureOfRepository(commonDir) });
}

function keepBefore(sessionDir: string, before: Before): void {
  // A session that is kept nowhere cannot be continued either.
  if (!existsSync(sessionDir)) return;
  const file = join(sessionDir, FILE);
  writeFileSync(`${file}.draft`, JSON.stringify(before), { mode: 0o600 });
  renameSync(`${file}.draft`, file);
}

/** Its `.git`, what git keeps of a worktree alone, and the settings of ours that it holds. */
function pictureOfTree(tree: string): Picture {
  const own = locate(tree);
  const isWorktree = own !== undefined && own.gitDir !== own.commonDir;
  return {
    '.git': own ? `${own.top} ${own.gitDir} ${kindOf(join(own.top, '.git'))}` : 'none',
    ...(isWorktree ? pictureOfSettings(own.gitDir) : {}),
    ...(isWorktree ? pictureOfFolder(join(tree, '.loopwright'), '.loopwright of the tree', isStateName) : {}),
  };
}

/** What we ourselves note about a worktree: it decides what counts as work. */
function pictureOfRecords(gitDir: string): Picture {
  return pictureOfFolder(ownGitFolder(gitDir), 'records of the worktree', isCache);
}

/** Our index changes with every look at the files. */
function isCache(name: string): boolean {
  return name.includes('index');
}

/** Ours and git's own are none of its files, and what is only linked to stays where it is. */
const NOT_ITS_FILES = new Set(['.git', '.loopwright']);

function holdsAFile(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) =>
      !NOT_ITS_FILES.has(entry.name) &&
      (entry.isFile() || (entry.isDirectory() && holdsAFile(join(folder, entry.name)))),
  );
}

function kindOf(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ? 'folder' : 'file';
}

function readBefore(sessionDir: string): Before | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(join(sessionDir, FILE), 'utf8'));
    return isJsonObject(read) && isJsonObject(read['repository']) ? (read as unknown as Before) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
