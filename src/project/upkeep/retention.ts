import { rmSync } from 'node:fs';
import type { SessionSummary } from '../../orchestrator/state/session-reader.ts';
import { isFinal } from '../../orchestrator/state/status.ts';
import { logFolderOf } from '../../tasks/prepare/make-ready.ts';
import type { OpenProject } from '../open.ts';
import { readSession } from '../sessions/list.ts';
import { type FilesRemoved, filesRemover } from './remove-files.ts';

const DAY = 86_400_000;
const NO_FILES: FilesRemoved = { removed: true, problems: [] };

/**
 * Removes ended sessions beyond the configured age and number, with their worktrees. Never one that can still
 * be resumed, and never one whose work is only in its worktree, its branch or its checkpoints. Gives what it did.
 */
export async function applyRetention(
  opened: OpenProject,
  { except }: { readonly except: string | undefined },
): Promise<string[]> {
  const { days, count } = opened.config.retention;
  if (days === undefined && count === undefined) return [];
  const now = Date.now();
  const beyond = endedSessions(opened).filter(
    ({ updatedAt }, i) =>
      (count !== undefined && i >= count) || (days !== undefined && now - updatedAt > days * DAY),
  );
  const chosen = beyond.filter(({ id }) => id !== except);
  if (chosen.length === 0) return [];
  const remover = await filesRemover(opened);
  const notes: string[] = [];
  for (const { id, files } of chosen) {
    const result = files === null ? NO_FILES : await remover.remove(id);
    if (!result.removed) continue;
    rmSync(logFolderOf(opened.project.folder, id), { recursive: true, force: true });
    opened.services.sessions.remove(id);
    notes.push(...result.problems, `removed the ended session ${id}, as "retention" says`);
  }
  return notes;
}

/** Newest first; a failed session can be retried, so it has not ended. */
function endedSessions({ services }: OpenProject): SessionSummary[] {
  const ended = services.sessions.ids().flatMap((id) => {
    const listed = readSession(services.sessions, id);
    if ('problem' in listed || listed.summary.ownerAlive) return [];
    return isFinal(listed.summary.status) ? [listed.summary] : [];
  });
  return ended.sort((a, b) => b.updatedAt - a.updatedAt);
}
