import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../kernel/errors.ts';
import { readPlain } from '../../process/plain-file.ts';
import { setAsideAfter } from '../../workspace/checkpoints/move-refs.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import type { OpenProject } from '../open.ts';

const schema = z.object({ step: z.int(), commit: z.string() });
type Rewinding = z.infer<typeof schema>;

/** Says where a session is about to be taken back to. Noted before its journal changes, for whoever finishes it. */
export function noteRewind({ project }: OpenProject, id: string, rewinding: Rewinding): void {
  writeFileSync(fileOf(project.sessions, id), JSON.stringify(rewinding));
}

/** Brings the files to where the journal is already; gives the refs of what came later. */
export async function rewindFiles(
  { project }: OpenProject,
  id: string,
  worktree: string,
  { step, commit }: Rewinding,
): Promise<string[]> {
  const restored = await new TreeCheckpoints(worktree, id).restore(commit);
  const later = await setAsideAfter(worktree, id, step);
  rmSync(fileOf(project.sessions, id), { force: true });
  return [...later, ...(restored.aside ? [restored.aside.ref] : [])];
}

/** Finishes a rewind whose process was killed after the journal had changed; one from before never happened. */
export async function finishRewind(opened: OpenProject, id: string, worktree: string): Promise<string[]> {
  const file = fileOf(opened.project.sessions, id);
  const rewinding = read(file);
  if (!rewinding) return [];
  const { state } = opened.services.sessions.load(id);
  if (state.status !== 'halted' || state.halt?.reason !== 'rewound' || state.step !== rewinding.step) {
    rmSync(file, { force: true });
    return [];
  }
  await rewindFiles(opened, id, worktree, rewinding);
  return [`its files were not yet back at step ${rewinding.step}; that is finished`];
}

function fileOf(sessions: string, id: string): string {
  return join(sessions, id, 'rewinding.json');
}

function read(file: string): Rewinding | undefined {
  try {
    return schema.parse(JSON.parse(readPlain(file).toString('utf8')));
  } catch (error) {
    // Cut short by a kill: then the journal had not changed yet.
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
