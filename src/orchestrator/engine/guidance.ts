import { BY_PERSON } from '../../manifest/origin.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { SessionState } from '../state/session-state.ts';

/** What a person said, as the next worker finds it; an empty text is said too. */
export function guidanceSegments(state: SessionState, guidance: string | undefined): ContextSegment[] {
  if (guidance === undefined) return [];
  let n = 1;
  while (state.history.knows(`${state.step}.guidance.${n}`)) n++;
  return [
    { id: `${state.step}.guidance.${n}`, type: 'HUMAN_GUIDANCE', content: guidance, origin: BY_PERSON },
  ];
}
