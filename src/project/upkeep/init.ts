import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { configPath, readConfigFile } from '../../config/config-file.ts';
import { type DetectedCommands, detectCommands } from '../../config/detect.ts';
import { detectWorktrees, type FoundWorktrees } from '../../config/detect-worktrees.ts';
import { writeConfig } from '../../config/write-config.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { excludeFromGit } from '../../workspace/git/exclude.ts';
import { GitNotStartedError } from '../../workspace/git/git-error.ts';
import type { OpenProject } from '../open.ts';
import { trustOwnWork } from '../trust/trust.ts';

/** How the project is checked, as far as its files tell, before anything is written. */
export interface Detected {
  readonly file: string;
  readonly exists: boolean;
  readonly found: DetectedCommands;
  /** How a worktree gets its dependencies; absent: it needs none, or somebody has said it. */
  readonly worktrees?: FoundWorktrees;
}

export async function detect({ project }: OpenProject): Promise<Detected> {
  const file = configPath(project.dir);
  const worktrees = await worktreesOf(project.dir);
  return {
    file,
    exists: existsSync(file),
    found: detectCommands(project.dir),
    ...(worktrees === undefined ? {} : { worktrees }),
  };
}

/** Writes down how the project is checked, where a person can correct it. */
export async function init(opened: OpenProject, { force = false }: { readonly force?: boolean } = {}) {
  const { file, exists, found, worktrees } = await detect(opened);
  if (exists && !force) throw existsAlready(file);
  await trustOwnWork(opened, async () => {
    const { written } = await writeConfig(opened.project.dir, found, { overwrite: force, worktrees });
    if (!written) throw existsAlready(file);
  });
  const excluded = await excludeFromGit(opened.project.dir);
  return { file, found, ...(worktrees === undefined ? {} : { worktrees }), excluded };
}

/** Folders to share are named from the top of the repository; only a repository has worktrees. */
async function worktreesOf(dir: string): Promise<FoundWorktrees | undefined> {
  const found = hasSaid(dir) ? undefined : detectWorktrees(dir);
  if (!found) return undefined;
  const { code, stdout } = await new BoundGit(dir).try(['rev-parse', '--show-prefix']).catch(noGit);
  if (code !== 0) return undefined;
  if (!('share' in found)) return found;
  return { ...found, share: found.share.map((folder) => posix.join(stdout.trim(), folder)) };
}

const noGit = (error: unknown): { code: number; stdout: string } => {
  if (error instanceof GitNotStartedError) return { code: 1, stdout: '' };
  throw error;
};

/** A file that cannot be read says nothing. */
function hasSaid(dir: string): boolean {
  try {
    const { setup, share } = readConfigFile(dir).worktrees ?? {};
    return setup !== undefined || share !== undefined;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

export function existsAlready(file: string): ConflictError {
  return new ConflictError(`${file} exists already.`, {
    next: action('project.init', 'Edit it, or have its commands written again; the rest of it is kept', {
      force: true,
    }),
  });
}
