import { findBinary, shownIn } from '../../agents/resolve/binary.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { WorkerServices } from '../services.ts';

/**
 * The file to start for the command of an agent. Tools of the project come first on the search path that the agent gets,
 * for the commands it runs; the agent itself, which gets the person's login, is looked for outside of the repository
 * unless the person allows otherwise. Undefined: as the system finds it.
 */
export function agentProgram(
  { ownPrograms, baseEnv }: Pick<WorkerServices, 'ownPrograms' | 'baseEnv'>,
  agent: string,
  { command, worktree }: { readonly command: string; readonly worktree: string },
): string | undefined {
  if (ownPrograms === undefined || command.includes('/')) return undefined;
  const repository = [worktree, ownPrograms.repository];
  const ownAllowed = ownPrograms.allowed.includes(agent);
  const { found, passedOver } = findBinary(command, { repository, env: baseEnv, ownAllowed });
  if (found !== undefined || passedOver === undefined) return found?.path;
  throw new UsageError(
    `${agent} is this repository's own ${shownIn(passedOver, repository)}, which is not taken for the agent.`,
    {
      next: `Install it outside of the repository, or add "${agent}" to repositoryPrograms in ${ownPrograms.file}.`,
    },
  );
}
