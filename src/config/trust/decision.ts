import type { SteeringFile } from './steering-files.ts';

/** What a person trusted: this folder, with these files as they were. */
export interface TrustRecord {
  /** Behind all links. */
  readonly path: string;
  readonly digest: string;
  /** What each file held, by its path in the project. */
  readonly files: { readonly [path: string]: string };
  readonly trustedAt: string;
}

export interface FileChange {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** Whether a project may be run, and if not, why not. */
export type TrustDecision =
  | { readonly trusted: true; readonly by: 'record' | 'environment'; readonly since?: string }
  | { readonly trusted: false; readonly why: 'never' }
  | {
      readonly trusted: false;
      readonly why: 'changed';
      readonly changes: readonly FileChange[];
      readonly since: string;
    };

/** What the record says about a project as it is now. */
export function decideTrust(
  record: TrustRecord | undefined,
  now: { readonly path: string; readonly digest: string; readonly files: readonly SteeringFile[] },
  { saidSo }: { readonly saidSo: boolean },
): TrustDecision {
  if (saidSo) return { trusted: true, by: 'environment' };
  if (record?.path !== now.path) return { trusted: false, why: 'never' };
  if (record.digest === now.digest) return { trusted: true, by: 'record', since: record.trustedAt };
  return {
    trusted: false,
    why: 'changed',
    changes: changesSince(record.files, now.files),
    since: record.trustedAt,
  };
}

function changesSince(before: TrustRecord['files'], now: readonly SteeringFile[]): FileChange[] {
  const present = new Set(now.map(({ path }) => path));
  const removed = Object.keys(before).filter((path) => !present.has(path));
  return [
    ...now.flatMap(({ path, digest }): FileChange[] => {
      const was = Object.hasOwn(before, path) ? before[path] : undefined;
      if (was === digest) return [];
      return [{ path, change: was === undefined ? 'added' : 'changed' }];
    }),
    ...removed.map((path): FileChange => ({ path, change: 'removed' })),
  ];
}
