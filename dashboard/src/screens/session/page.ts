import type { LiveSession } from '../../../../src/api/live.ts';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';

export type SessionPage = ReplyOf<'session'>;
export type StepRow = ReplyOf<'steps'>['steps'][number];

/** What every tab of a session is given. */
export interface TabProps {
  readonly session: SessionPage;
  readonly live: LiveSession | null;
}

/** The name of a block without that of its node. */
export function blockName(block: string): string {
  return block.replace(/^.*__/, '');
}
