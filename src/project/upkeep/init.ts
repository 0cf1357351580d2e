import { existsSync } from 'node:fs';
import { configPath } from '../../config/config-file.ts';
import { type DetectedCommands, detectCommands } from '../../config/detect.ts';
import { writeConfig } from '../../config/write-config.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { excludeFromGit } from '../../workspace/git/exclude.ts';
import type { OpenProject } from '../open.ts';
import { trustOwnWork } from '../trust/trust.ts';

/** How the project is checked, as far as its files tell, before anything is written. */
export interface Detected {
  readonly file: string;
  readonly exists: boolean;
  readonly found: DetectedCommands;
}

export async function detect({ project }: OpenProject): Promise<Detected> {
  const file = configPath(project.dir);
  return { file, exists: existsSync(file), found: detectCommands(project.dir) };
}

/** Writes down how the project is checked, where a person can correct it. */
export async function init(opened: OpenProject, { force = false }: { readonly force?: boolean } = {}) {
  const { file, exists, found } = await detect(opened);
  if (exists && !force) throw existsAlready(file);
  await trustOwnWork(opened, async () => {
    const { written } = await writeConfig(opened.project.dir, found, { overwrite: force });
    if (!written) throw existsAlready(file);
  });
  return { file, found, excluded: await excludeFromGit(opened.project.dir) };
}

export function existsAlready(file: string): ConflictError {
  return new ConflictError(`${file} exists already.`, {
    next: action('project.init', 'Edit it, or have its commands written again; the rest of it is kept', {
      force: true,
    }),
  });
}
