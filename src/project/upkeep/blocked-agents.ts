import { NotFoundError } from '../../kernel/errors.ts';
import { hasStore, openStore } from '../../store/open.ts';
import type { OpenProject } from '../open.ts';
import { refuseDecidingInside } from '../runs/nested.ts';

/** An agent whose account is used up for a while. */
export interface BlockedAgent {
  readonly agent: string;
  readonly until: number;
  readonly reason: string;
}

/** The agents that nobody is sent to before a time. */
export async function blockedAgents({ project }: OpenProject): Promise<readonly BlockedAgent[]> {
  if (!hasStore(project.folder)) return [];
  const store = openStore(project.folder);
  try {
    return await store.blockedAgents();
  } finally {
    store.close();
  }
}

/** Lets an agent be used again before its time; what waits for it is claimed by the next runtime that looks. */
export async function unblockAgent(
  { project }: OpenProject,
  agent: string,
): Promise<{ readonly agent: string }> {
  refuseDecidingInside();
  const store = hasStore(project.folder) ? openStore(project.folder) : undefined;
  try {
    if (!store || !(await store.unblockAgent(agent)))
      throw new NotFoundError(`The agent ${agent} is not blocked here.`);
    return { agent };
  } finally {
    store?.close();
  }
}
