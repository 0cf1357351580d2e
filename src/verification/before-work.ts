import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { errorCode } from '../kernel/errors.ts';
import { isInside } from '../process/sandbox/enclosure.ts';
import type { BesideTree } from '../workspace/inspection/undelivered.ts';
import { packagesWrittenSince } from './installed-packages.ts';
import type { Violation } from './report.ts';
import type { SuspiciousChange } from './suspicious/segment.ts';

/** What decides what a command does although no change shows it: git ignores both. A type, so that it is a JSON value. */
export type BeforeWork = {
  /** The programs in `node_modules/.bin`, which every command finds first. */
  readonly tools: readonly string[];
  /** A digest of `.env`, whose variables every command is given; null: there was none. */
  readonly env: string | null;
  /** When it was looked at, by this machine's clock; records of earlier versions have none. */
  readonly at?: number;
  /** What the worktree held besides its tree; absent in the user's own folder and in earlier records. */
  readonly beside?: BesideTree;
};

const TOOLS = 'node_modules/.bin';

/** As it is now, which must be before an agent has been there. */
export function lookBeforeWork(root: string): BeforeWork {
  return { tools: toolsIn(root), env: digestOfEnv(root), at: Date.now() };
}

/**
 * Programs that the work put in front of those of the machine: a `node` or `npm` of its own would pass every check. A
 * new program that stands for no other is the tool of a new package.
 */
export function standIns(root: string, before: BeforeWork | undefined, search: string): Violation[] {
  if (!before) return [];
  const known = new Set(before.tools);
  const folders = search.split(delimiter).filter((folder) => isAbsolute(folder) && !isInside(root, folder));
  return toolsIn(root).flatMap((name): Violation[] => {
    const machine = known.has(name) ? undefined : folders.find((folder) => isFile(join(folder, name)));
    if (machine === undefined) return [];
    const because = `it would be run in place of ${join(machine, name)} in every check`;
    return [{ path: `${TOOLS}/${name}`, why: 'protected', because }];
  });
}

/** What the work did to the tools that its own checks run with, where no change shows it. */
export function weakenedTools(
  root: string,
  before: BeforeWork | undefined,
  { search, newlyDeclared }: { readonly search: string; readonly newlyDeclared: boolean },
): SuspiciousChange[] {
  const planted = standIns(root, before, search).map(
    ({ path, because = '' }): SuspiciousChange => ({
      rule: 'tool_planted',
      weight: 'hard',
      path,
      what: because,
    }),
  );
  const written = before?.at === undefined ? [] : packagesWrittenSince(root, before.at);
  // Installed anew, because the project says so: what is in there is for its reviewer.
  const weight = newlyDeclared ? 'soft' : 'hard';
  const what = 'an installed package was changed, and the checks ran with it; it is not part of the work';
  return [
    ...planted,
    ...written.map((path): SuspiciousChange => ({ rule: 'package_changed', weight, path, what })),
  ];
}

/** Whether the work has changed the variables that its own checks would be given. */
export function hasOtherEnv(root: string, before: BeforeWork | undefined): boolean {
  return before !== undefined && digestOfEnv(root) !== before.env;
}

function toolsIn(root: string): string[] {
  try {
    return readdirSync(join(root, TOOLS)).sort();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

function digestOfEnv(root: string): string | null {
  try {
    return createHash('sha256')
      .update(readFileSync(join(root, '.env')))
      .digest('hex');
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
