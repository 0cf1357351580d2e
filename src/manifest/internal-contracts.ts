import type { ContextSegment, ExecutionPayload, FileOutput } from './segment.ts';

/** What the internal workers read and answer, under the names that the documents give it. */
interface InWorktree {
  readonly system_metadata: { readonly worktree_path: string };
}

interface PassOrFail {
  readonly signal: 'SIGNAL:SUCCESS' | 'SIGNAL:FAILURE';
  readonly new_payload: ExecutionPayload;
}

export type TestRunnerInput = InWorktree;
/** With a TEST_RESULT. */
export type TestRunnerOutput = PassOrFail;

export interface FileSystemWriterInput extends InWorktree {
  readonly execution_payload: readonly (ContextSegment & {
    readonly type: 'CODE_OUTPUT' | 'DOCUMENTATION_OUTPUT';
    readonly content: FileOutput;
  })[];
}
/** The payload as it was, with an ERROR where something could not be written. */
export type FileSystemWriterOutput = PassOrFail;

export interface UpdateChangePlanInput {
  readonly execution_payload: readonly (ContextSegment & {
    readonly type: 'NEW_FILES_IDENTIFIED';
    /** Paths from the top of the project. */
    readonly content: readonly string[];
  })[];
}
export interface UpdateChangePlanOutput {
  readonly signal: 'SIGNAL:SUCCESS';
  readonly new_payload: ExecutionPayload;
}

export type RunLinterInput = InWorktree;
/** With a LINT_RESULT where it found something. */
export type RunLinterOutput = PassOrFail;

export type RunBuilderInput = InWorktree;
/** With a BUILD_RESULT where it failed. */
export type RunBuilderOutput = PassOrFail;
