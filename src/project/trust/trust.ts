import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isStateName } from '../../config/state-names.ts';
import { processEnvironment } from '../../config/terminal.ts';
import type { FileChange } from '../../config/trust/decision.ts';
import {
  forgetTrust,
  lookAtTrust,
  type ProjectTrust,
  recordTrust,
} from '../../config/trust/project-trust.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { namesIn } from '../../process/if-there.ts';
import type { ProjectSessions } from '../open.ts';
import { type Obeyed, obeyed } from './obeyed.ts';
import { refuseTrackedState } from './require.ts';

/** Whether a project is trusted as it is now, and what that means. */
export interface Trust {
  /** Behind all links. */
  readonly path: string;
  readonly trusted: boolean;
  /** By what was recorded, or by the environment. */
  readonly by?: 'record' | 'environment';
  /** When it was trusted the last time. */
  readonly since?: string;
  /** Of everything that steers it. */
  readonly digest: string;
  /** What would be run and obeyed, in words, each with the file that says so. */
  readonly obeys: readonly Obeyed[];
  readonly files: readonly string[];
  /** Since it was trusted the last time. */
  readonly changes: readonly FileChange[];
  /** State that is in the folder although it was never trusted. */
  readonly state: readonly string[];
}

/** What would be run and obeyed, and whether that is trusted. */
export async function trusted({ project }: ProjectSessions): Promise<Trust> {
  return view(project.dir, lookAtTrust(project.dir, processEnvironment()));
}

/**
 * Writes down that a person trusts the project as it is now; with the `digest` of what they were shown, only if it is
 * still that.
 */
export async function trust(
  { project }: ProjectSessions,
  { digest }: { readonly digest?: string } = {},
): Promise<Trust & { readonly file: string }> {
  await refuseTrackedState(project.dir);
  const env = processEnvironment();
  const looked = lookAtTrust(project.dir, env);
  if (digest !== undefined && digest !== looked.digest) {
    throw new ConflictError('What steers the project changed while you looked at it. Nothing was trusted.', {
      next: 'Look again.',
    });
  }
  const file = recordTrust(looked, env, new Date());
  return { ...(await view(project.dir, lookAtTrust(project.dir, env))), file };
}

/** Forgets that the project was trusted. */
export async function untrust({ project }: ProjectSessions): Promise<{ path: string; removed: boolean }> {
  const env = processEnvironment();
  const { path } = lookAtTrust(project.dir, env);
  return { path, removed: forgetTrust(project.dir, env) };
}

/** Trusts what the person has just written, where nothing of somebody else's steered the project before. */
export async function trustOwnWork<T>({ project }: ProjectSessions, work: () => Promise<T>): Promise<T> {
  const env = processEnvironment();
  const { decision, files } = lookAtTrust(project.dir, env);
  const result = await work();
  if (decision.trusted ? decision.by === 'record' : files.length === 0) {
    await refuseTrackedState(project.dir);
    recordTrust(lookAtTrust(project.dir, env), env, new Date());
  }
  return result;
}

async function view(dir: string, { path, digest, files, decision }: ProjectTrust): Promise<Trust> {
  const since = 'since' in decision ? decision.since : undefined;
  return {
    path,
    trusted: decision.trusted,
    ...(decision.trusted ? { by: decision.by } : {}),
    ...(since === undefined ? {} : { since }),
    digest,
    obeys: obeyed(dir, files),
    files: files.map((file) => file.path),
    changes: 'changes' in decision ? decision.changes : [],
    state: decision.trusted || since !== undefined ? [] : await stateIn(dir),
  };
}

async function stateIn(dir: string): Promise<string[]> {
  const folder = join(dir, '.loopwright');
  if (!existsSync(folder)) return [];
  return (await namesIn(folder))
    .filter((name) => isStateName(name) && !name.startsWith('loopwright.db-'))
    .sort();
}
