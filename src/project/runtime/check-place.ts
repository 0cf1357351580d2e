import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readArea } from '../../backlog/change-set.ts';
import type { Role } from '../../config/runtime/settings.ts';
import { UsageError } from '../../kernel/errors.ts';
import { adaptersOf } from '../../workers/services.ts';
import type { OpenRuntime } from './open-runtime.ts';

/** How far down the line it is looked whether every task says its own mode. */
const LOOKED_AT = 500;

/** What tasks would work on must be there: said before one has lost an attempt to it. */
export async function checkPlace(runtime: OpenRuntime, role: Role): Promise<void> {
  const { mode, url, path } = runtime.settings.repository;
  const { dir } = runtime.opened.project;
  const isMissing = mode === 'github' ? url.trim() === '' : path !== '' && !isFolder(resolve(dir, path));
  if (!isMissing || (await isForOthers(runtime, role))) return;
  if (mode === 'github') {
    throw new UsageError('The repository mode is github, and REPO_URL is not set: nothing could be cloned.', {
      next: 'Set REPO_URL (repository.url in .loopwright/config.json), or set REPO_MODE (repository.mode) to local-git, which works on this repository, or to direct.',
    });
  }
  throw new UsageError(`LOCAL_REPO_PATH is ${resolve(dir, path)}, which is not a folder that is there.`, {
    next: 'Set LOCAL_REPO_PATH (repository.path in .loopwright/config.json) to the project to work on, or leave it out to work on this one.',
  });
}

/** Whether every task in line says a mode of its own, so that the configured one is nobody's. */
async function isForOthers({ settings, store }: OpenRuntime, role: Role): Promise<boolean> {
  const line = await store.backlog.list({ states: ['queued'], role, limit: LOOKED_AT });
  const usesPath = settings.repository.mode !== 'github';
  const isOther = (mode: string) => (usesPath ? mode === 'github' : mode !== 'github');
  return line.length > 0 && line.every(({ mode }) => mode !== undefined && isOther(mode));
}

/** A pattern that cannot be read would keep nobody apart. */
export function checkAreas({ settings }: OpenRuntime): void {
  for (const area of settings.areas) readArea(area, '');
}

/** A model that its agent cannot use would fail every task, one after the other. */
export function checkModel({ settings, opened }: OpenRuntime, role: Role): void {
  const [agent, model] = [settings.agents[role], settings.models[role]];
  const adapters = adaptersOf(opened.services);
  if (model === undefined || !adapters.has(agent)) return;
  const problems = adapters.problems(agent, 'headless', { model });
  if (problems.length === 0) return;
  throw new UsageError(problems.join(' '), {
    next: `Set ${role.toUpperCase()}_MODEL (models.${role} in .loopwright/config.json) to one that it has, or choose another agent for the ${role} role.`,
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
