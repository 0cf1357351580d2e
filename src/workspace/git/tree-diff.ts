import type { BoundGit } from './bound-git.ts';

export type ChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type-changed';

export interface FileChange {
  readonly path: string;
  readonly kind: ChangeKind;
  /** Where a renamed or copied file was before. */
  readonly from?: string;
  /** Both 0 for a binary file. */
  readonly insertions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

export interface DiffSummary {
  readonly files: readonly FileChange[];
  readonly insertions: number;
  readonly deletions: number;
}

const KINDS: { readonly [letter: string]: ChangeKind } = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
};

/** What differs between two trees or commits, without the text. */
export async function summarizeDiff(git: BoundGit, from: string, to: string): Promise<DiffSummary> {
  const { stdout } = await git.run(['diff-tree', '-r', '-M', '-z', '--raw', '--numstat', from, to]);
  const files = parseSummary(stdout);
  const sum = (key: 'insertions' | 'deletions') => files.reduce((total, file) => total + file[key], 0);
  return { files, insertions: sum('insertions'), deletions: sum('deletions') };
}

/** The unified diff, whatever the user has configured to look at diffs with. */
export async function diffText(git: BoundGit, from: string, to: string): Promise<string> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color'];
  const { stdout } = await git.run(['diff-tree', '-r', '-M', '-p', ...plain, from, to]);
  return stdout;
}

/** The paths that differ, both sides of a rename. */
export async function changedPaths(git: BoundGit, from: string, to: string): Promise<string[]> {
  const { stdout } = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to]);
  return splitZ(stdout);
}

export interface NamedChanges {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The paths that differ by what happened to them, each list sorted; a rename is a removal and an addition. */
export async function namedChanges(git: BoundGit, from: string, to: string): Promise<NamedChanges> {
  const { stdout } = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to]);
  const lists = { changed: [] as string[], added: [] as string[], removed: [] as string[] };
  const fields = splitZ(stdout).values();
  for (const letter of fields) {
    const list = letter === 'A' ? lists.added : letter === 'D' ? lists.removed : lists.changed;
    list.push(fields.next().value ?? '');
  }
  for (const list of Object.values(lists)) list.sort();
  return lists;
}

export function splitZ(text: string): string[] {
  return text.split('\0').filter((part) => part !== '');
}

/** First all raw records, then the counts in the same order: two or three fields each, ended by NUL. */
function parseSummary(text: string): FileChange[] {
  const fields = text.split('\0').values();
  const next = () => fields.next().value ?? '';
  const changes: { path: string; kind: ChangeKind; from?: string }[] = [];
  const files: FileChange[] = [];
  for (let field = next(); field !== ''; field = next()) {
    if (field.startsWith(':')) {
      const kind = KINDS[field.split(' ').at(-1)?.charAt(0) ?? ''] ?? 'modified';
      const first = next();
      changes.push(isMove(kind) ? { kind, from: first, path: next() } : { kind, path: first });
      continue;
    }
    const [, insertions = '', deletions = '', path] = /^(.+?)\t(.+?)\t(.*)$/s.exec(field) ?? [];
    if (path === '') {
      next();
      next();
    }
    const change = changes[files.length];
    if (!change) break;
    const binary = insertions === '-';
    files.push({ ...change, binary, insertions: count(insertions), deletions: count(deletions) });
  }
  return files;
}

function isMove(kind: ChangeKind): boolean {
  return kind === 'renamed' || kind === 'copied';
}

function count(text: string): number {
  return text === '-' ? 0 : Number(text);
}
