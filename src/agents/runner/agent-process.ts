import type { Readable } from 'node:stream';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { Environment, StepMarker } from '../../process/child-env.ts';
import type { Wall } from '../../process/sandbox/walls.ts';
import type { TerminalSize } from './runner.ts';

/** A process as a runner drives it, with or without a terminal. */
export interface AgentProcess {
  readonly identity: ProcessIdentity;
  readonly outputs: readonly AgentOutput[];
  /** Resolves with the process's own end; what it wrote before is in `outputs` then. */
  readonly exit: Promise<AgentExit>;
  write(text: string): void;
  /** Writes what a person would have typed, and the key that sends it. */
  submit(text: string): void;
  closeInput(): void;
  resize(size: TerminalSize): void;
  /** Ends it with everything it started. */
  end(): Promise<void>;
  /** After it ended by itself: ends what it left running, and says so. */
  tidy(): Promise<string | undefined>;
}

export interface AgentOutput {
  readonly name: 'stdout' | 'stderr' | 'terminal';
  readonly bytes: Readable;
}

export type AgentExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string };

export interface LaunchRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly marker: StepMarker;
  readonly wall?: Wall | undefined;
  /** Nothing will be written: the process sees the end of its input at once. */
  readonly noInput: boolean;
  /** All that is written; then the process sees the end of its input. */
  readonly input?: string | undefined;
  readonly size: TerminalSize;
}
