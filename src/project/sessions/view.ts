import type { Action } from '../../kernel/action.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { LoadedSession } from '../../orchestrator/state/projection.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import type { SessionState, TrailEntry } from '../../orchestrator/state/session-state.ts';
import {
  latestSuspicious,
  SUSPICIOUS_CHANGE,
  type SuspiciousChange,
} from '../../verification/suspicious/segment.ts';
import type { ProjectSessions } from '../open.ts';
import { actionsFor } from './actions.ts';
import { findSession, statusWord } from './list.ts';
import { openQuestions } from './open-questions.ts';
import { situationOf } from './situation.ts';
import { type Why, whyOf } from './why.ts';

/** Everything a face shows of a session. */
export interface SessionView extends LoadedSession {
  readonly ownerAlive: boolean;
  /** The status in a word that also tells a dead owner from a living one. */
  readonly word: string;
  readonly inputs: SessionState['inputs'];
  readonly budget: SessionState['budget'];
  readonly returnStack: SessionState['stack'];
  readonly trail: readonly TrailEntry[];
  /** Its files are in a worktree of its own. */
  readonly kept: boolean;
  /** Where it went on with a corrected manifest. */
  readonly manifests?: SessionState['manifests'];
  /** What a halt is about, in the words of whoever failed. */
  readonly why?: Why;
  /** What the engine found last about the checks themselves; absent: nothing, or nobody looked. */
  readonly suspicious?: readonly SuspiciousChange[];
  /** What a person can do now, the most likely first. */
  readonly actions: readonly Action[];
  readonly payload?: readonly ContextSegment[];
}

/** The id of the one session that is named by it, or by its first or last characters. */
export async function find({ sessions }: ProjectSessions, written: string): Promise<string> {
  return findSession(sessions, written);
}

/** Where a session stands, the way it took, and what can be done next. */
export async function session(
  { sessions }: ProjectSessions,
  written: string | undefined,
  { payload = false }: { readonly payload?: boolean } = {},
): Promise<SessionView> {
  const id = findSession(sessions, written, { orTask: true });
  await sessions.endOrphans(id);
  const snapshot = sessions.load(id);
  const view = viewOf(snapshot);
  return payload ? { ...view, payload: snapshot.state.history.segments() } : view;
}

export function viewOf(snapshot: Snapshot): SessionView {
  const { state, session: loaded, ownerAlive } = snapshot;
  const why = whyOf(state);
  const suspicious = latestSuspicious(state.history.ever(SUSPICIOUS_CHANGE))?.found ?? [];
  return {
    ...loaded,
    ownerAlive,
    word: statusWord({ ...state, ownerAlive }),
    inputs: state.inputs,
    budget: state.budget,
    returnStack: state.stack,
    trail: state.trail.toArray(),
    questions: openQuestions(snapshot),
    kept: state.files !== null,
    ...(state.manifests.length === 0 ? {} : { manifests: state.manifests }),
    ...(why ? { why } : {}),
    ...(suspicious.length === 0 ? {} : { suspicious }),
    actions: actionsFor(situationOf(snapshot, why)),
  };
}
