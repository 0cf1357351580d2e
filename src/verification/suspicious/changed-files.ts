import type { FileChange } from '../../workspace/git/tree-diff.ts';
import type { FileKind } from './file-kinds.ts';
import type { SuspiciousChange } from './segment.ts';

/** So many snapshots at once are no longer looked at one by one. */
const MOST_SNAPSHOTS = 20;

export interface ChangedFile extends FileChange {
  readonly fileKind: FileKind;
  /** Its path from the top of the repository; `path` is that of the project. */
  readonly top: string;
}

export function withKinds(
  changes: readonly (FileChange & Pick<ChangedFile, 'top'>)[],
  kindOf: (path: string) => FileKind,
): ChangedFile[] {
  return changes.map((change) => ({ ...change, fileKind: kindOf(change.path) }));
}

/** Whether a file decides what the checks say. Snapshots go with the tests that use them. */
export function isOfChecks({ fileKind }: ChangedFile): boolean {
  return fileKind === 'test' || fileKind === 'settings' || fileKind === 'script';
}

/** What it means by itself that a file was changed, whatever was written into it. */
export function suspiciousFiles(files: readonly ChangedFile[]): SuspiciousChange[] {
  const of = (kind: FileKind) => files.filter(({ fileKind }) => fileKind === kind);
  const each = (kind: FileKind, rule: string, what: string): SuspiciousChange[] =>
    of(kind).map(({ path, kind: how }) => ({ rule, weight: 'hard', path, what: `${what} (${how})` }));
  return [
    ...each('ci', 'ci_changed', 'what continuous integration runs was changed'),
    ...each('settings', 'test_settings_changed', 'what decides which tests run, and how, was changed'),
    ...each('script', 'check_changed', 'a check runs this file').filter(({ path }) => !isPackage(path)),
    ...rewrittenSnapshots(files),
  ];
}

/** Of these only the scripts count, which are compared one by one. */
function isPackage(path: string): boolean {
  return /(?:^|\/)(?:package\.json|[Mm]akefile|GNUmakefile)$/.test(path);
}

/** CHT-07: a snapshot says what came out, so one that changes alone, or with many others, was not looked at. */
function rewrittenSnapshots(files: readonly ChangedFile[]): SuspiciousChange[] {
  const rewritten = files.filter(({ fileKind, kind }) => fileKind === 'snapshot' && kind !== 'added');
  const hasSource = files.some(({ fileKind }) => fileKind === 'source');
  const weight = !hasSource || rewritten.length > MOST_SNAPSHOTS ? 'hard' : 'soft';
  const why = hasSource ? '' : ', and no source was changed';
  return rewritten.map(({ path, kind }) => ({
    rule: 'snapshot_rewritten',
    weight,
    path,
    what: `a snapshot was ${kind === 'deleted' ? 'removed' : 'rewritten'}${why}`,
  }));
}
