import { LoopwrightError } from '../../kernel/errors.ts';
import type { ProjectSessions } from '../open.ts';

/** Ends what dead owners of this project's sessions left running; one that cannot be read hides no other. */
export async function endAllOrphans({ sessions }: ProjectSessions): Promise<void> {
  for (const id of sessions.ids()) {
    try {
      const { status, ownerAlive } = sessions.summary(id);
      if (status === 'running' && !ownerAlive) await sessions.endOrphans(id);
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
    }
  }
}
