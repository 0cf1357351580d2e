import { isGenuine } from '../../manifest/origin.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import { SUCCESS } from '../../manifest/worker.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from './list.ts';

/** A block that must have passed on the very files that are delivered. */
export interface GateView {
  readonly block: string;
  /** `none`: it was never run, which counts as failed. */
  readonly state: 'passed' | 'failed' | 'doubted' | 'none';
  readonly signal?: string;
  /** What the files were when it answered. */
  readonly tree?: string;
  readonly doubt?: object;
}

export interface EvidenceView {
  readonly session: string;
  readonly gates: readonly GateView[];
  /** What checks, verification and the look at the checks themselves have recorded, the newest last. */
  readonly reports: readonly ContextSegment[];
}

const REPORTS: ReadonlySet<string> = new Set([
  'TEST_RESULT',
  'LINT_RESULT',
  'BUILD_RESULT',
  'COMMAND_RESULT',
  'VERIFICATION_REPORT',
  'VERIFICATION_FAILURE',
  'SUSPICIOUS_CHANGE',
  'BASELINE',
]);

/** What proves the work of a session, and what completing it still needs. */
export async function evidence({ sessions }: OpenProject, written: string): Promise<EvidenceView> {
  const session = findSession(sessions, written);
  const { state, manifest } = sessions.load(session);
  const reports = state.history
    .segments()
    .filter(
      (segment) =>
        REPORTS.has(segment.type) || (segment.type.endsWith('_RESULT') && isGenuine(segment, segment.type)),
    );
  const gates = manifest.gates.map((block): GateView => {
    const gate = state.gates[block];
    if (!gate) return { block, state: 'none' };
    const { signal, tree, doubt } = gate;
    const passed = signal === SUCCESS;
    return {
      block,
      state: passed ? (doubt ? 'doubted' : 'passed') : 'failed',
      signal,
      tree,
      ...(doubt ? { doubt } : {}),
    };
  });
  return { session, gates, reports };
}
