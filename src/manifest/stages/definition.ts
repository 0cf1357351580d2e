import type { Budget } from '../definition.ts';

/** A pipeline as a person writes it: stages one after the other, their tasks side by side. */
export interface StageWorkflow {
  readonly $schema?: string;
  readonly id?: string;
  readonly description?: string;
  /** What a session is called that was started without a goal. */
  readonly goal?: string;
  readonly stages: readonly StageDefinition[];
  /** How many tasks of a stage run at once. Absent: all of them. */
  readonly concurrency?: number;
  /** Go on with the next stage although a task of this one did not end well. */
  readonly continueOnFailure?: boolean;
  readonly budget?: Budget;
  /** Commands of the project that run after the last stage and must pass: the session completes only then. */
  readonly gates?: readonly GateName[];
}

export const GATE_NAMES = ['test', 'lint', 'build'] as const;
export type GateName = (typeof GATE_NAMES)[number];

export interface StageDefinition {
  readonly id?: string;
  readonly description?: string;
  readonly tasks: readonly WorkflowTask[];
  readonly concurrency?: number;
  readonly continueOnFailure?: boolean;
}

/** One agent process of a stage. Only `id` and `adapter` are required. */
export interface WorkflowTask {
  readonly id: string;
  /** The type of the adapter. */
  readonly adapter: string;
  /** Absent: `interactive`. */
  readonly executionMode?: 'interactive' | 'headless';
  readonly prompt?: string;
  readonly extraArgs?: readonly string[];
  /** Inside the session's folder. */
  readonly cwd?: string;
  /** Laid over the environment. */
  readonly env?: { readonly [name: string]: string };
  /** What it is called on the screen. Absent: its id. */
  readonly name?: string;
  readonly model?: string;
  readonly permissions?: 'read' | 'ask' | 'edits' | 'all';
  readonly maxTurns?: number;
  readonly maxUsd?: number;
  /** Active minutes after which it is ended. */
  readonly minutes?: number;
  /** Minutes without any output after which it is ended. */
  readonly silenceMinutes?: number;
}

/** What `Internal:RunStage` is given. */
export interface StageParameters {
  readonly tasks: readonly WorkflowTask[];
  readonly concurrency?: number;
}

export const RUN_STAGE = 'Internal:RunStage';
