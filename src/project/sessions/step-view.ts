import type { ContextSegment } from '../../manifest/segment.ts';
import type { StepRecord } from '../../orchestrator/state/record.ts';
import { segmentsOf } from '../../orchestrator/state/stored-segments.ts';
import type { OpenProject } from '../open.ts';
import {
  type ContextSettings,
  contextOfNext,
  contextOfStep,
  type StepContext,
  stepWithContext,
} from './context.ts';
import { findSession } from './list.ts';

export interface StepView {
  readonly session: string;
  readonly record: StepRecord;
  readonly worker: string;
  /** What the block added to the history. */
  readonly added: readonly ContextSegment[];
  /** The history as the block was shown it. */
  readonly shown: readonly ContextSegment[];
  readonly context: StepContext;
}

/** What one step of a session was given and what it answered. */
export async function stepView(
  opened: OpenProject,
  written: string | undefined,
  step: number,
): Promise<StepView> {
  const session = findSession(opened.sessions, written, { orTask: true });
  const { record, context } = await stepWithContext(opened.sessions, session, step, settingsOf(opened));
  const shown = context.layers.execution_payload.value;
  return { session, record, worker: context.worker, added: segmentsOf(record.added), shown, context };
}

/** All five layers that a step was given, and the prompts that were sent in it. */
export async function stepContext(
  opened: OpenProject,
  written: string | undefined,
  step: number,
): Promise<StepContext> {
  const session = findSession(opened.sessions, written);
  return contextOfStep(opened.sessions, session, step, settingsOf(opened));
}

/** What the block would be given that a session which stands still would run next. */
export async function nextContext(opened: OpenProject, written: string | undefined): Promise<StepContext> {
  const session = findSession(opened.sessions, written);
  return contextOfNext(opened.sessions, session, settingsOf(opened));
}

/** Read only where a journal does not say it: a session can be looked at while the configuration is broken. */
function settingsOf(opened: OpenProject): ContextSettings {
  return { config: () => opened.services.config };
}
