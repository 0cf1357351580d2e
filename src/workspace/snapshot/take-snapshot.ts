import { lstatSync, readdirSync } from 'node:fs';
import { errorCode } from '../../kernel/errors.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** Modification time and size of one file. Milliseconds, as exact as the file system keeps them. */
export interface FileStamp {
  readonly mtimeMs: number;
  readonly size: number;
}

export interface Snapshot {
  readonly root: string;
  /** Regular files by path relative to the root, with `/` between names. */
  readonly files: ReadonlyMap<string, FileStamp>;
  /** Folders and files that could not be looked at; what happens in there is not seen. */
  readonly unread: readonly string[];
}

/** Products and our own state: never part of an edit, whatever `.gitignore` says. */
const NEVER = new Set(['node_modules', '.git', 'dist', 'build', '.next', 'coverage', '.loopwright']);

/**
 * The regular files below a folder, for comparing before and after. Links are never followed, so loops do no
 * harm. Synchronous on purpose: asking for 100,000 files one promise each takes four times as long.
 */
export function takeSnapshot(root: string): Snapshot {
  const files = new Map<string, FileStamp>();
  const unread: string[] = [];
  const folders: { readonly path: string; readonly rules: IgnoreRules }[] = [
    { path: '', rules: IgnoreRules.ofRoot(root) },
  ];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const entries = entriesOf(root, folder.path, unread);
    if (!entries) continue;
    const hasOwn = entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
    const rules = hasOwn ? folder.rules.withFileOf(root, folder.path) : folder.rules;
    const prefix = folder.path === '' ? '' : `${folder.path}/`;
    for (const entry of entries) {
      const { name } = entry;
      const path = prefix + name;
      if (entry.isDirectory()) {
        const inside = NEVER.has(name) ? undefined : rules.inFolder(path, name);
        if (inside) folders.push({ path, rules: inside });
      } else if (entry.isFile() && name !== '.git' && !rules.ignoresFile(path, name)) {
        stamp(root, path, files, unread);
      }
    }
  }
  return { root, files, unread };
}

function entriesOf(root: string, path: string, unread: string[]) {
  try {
    return readdirSync(path === '' ? root : `${root}/${path}`, { withFileTypes: true });
  } catch (error) {
    // Gone since its parent was read: then it is not part of this state. The root itself must be there.
    if (path === '' || errorCode(error) === undefined) throw error;
    if (errorCode(error) !== 'ENOENT') unread.push(path);
    return undefined;
  }
}

function stamp(root: string, path: string, files: Map<string, FileStamp>, unread: string[]): void {
  const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
  if (stats?.isFile()) files.set(path, { mtimeMs: stats.mtimeMs, size: stats.size });
  // A name that is not UTF-8 is not found again under its decoded form.
  else if (!stats && path.includes('\uFFFD')) unread.push(path);
}

export interface SnapshotChanges {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What happened between two snapshots of one folder, each list sorted. */
export function compareSnapshots(before: Snapshot, after: Snapshot): SnapshotChanges {
  const changed: string[] = [];
  const added: string[] = [];
  const removed: string[] = [];
  for (const [path, now] of after.files) {
    const then = before.files.get(path);
    if (!then) added.push(path);
    else if (then.mtimeMs !== now.mtimeMs || then.size !== now.size) changed.push(path);
  }
  for (const path of before.files.keys()) if (!after.files.has(path)) removed.push(path);
  return { changed: changed.sort(), added: added.sort(), removed: removed.sort() };
}
