export type { JsonEvent, JsonProblem } from './control/json-event.ts';
export { SessionGroup } from './control/session-group.ts';
export {
  type ActionParams,
  type ActionResult,
  executeAction,
  executeAction as ActionHandler,
} from './engine/actions.ts';
export type { ContinueOptions, ResumeOptions } from './engine/continuation.ts';
export { WorkflowExecutor } from './engine/executor.ts';
export type { BlockStatus, LiveView } from './engine/live-view.ts';
export { UnhandledSignalError } from './engine/transition.ts';
export type { EngineEvent } from './events.ts';
export type { FinalState } from './final-state.ts';
export { Orchestrator } from './orchestrator.ts';
export type { ExecuteOptions, OrchestratorServices } from './services.ts';
export { type FollowOptions, followJournal } from './state/files/follow-journal.ts';
export type { Followed } from './state/files/journal-cursor.ts';
export type { LoadedSession, WorkflowSession } from './state/projection.ts';
export type { Halt, HaltReason } from './state/record.ts';
export { SessionManager } from './state/session-manager.ts';
export type { SessionSummary, Snapshot } from './state/session-reader.ts';
export type { SessionState, TrailEntry, Used } from './state/session-state.ts';
export type { SessionStatus } from './state/status.ts';
export type { JournalPosition } from './state/store.ts';
