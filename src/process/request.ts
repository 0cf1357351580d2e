import type { Masker } from '../kernel/mask.ts';
import type { ProcessIdentity } from '../kernel/process-identity.ts';
import type { Environment, StepMarker } from './child-env.ts';
import type { ProcessOutcome } from './outcome.ts';
import type { Wall } from './sandbox/walls.ts';

export interface ProcessRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Complete: nothing is inherited. The tools of `cwd` and the marker are added. */
  readonly env: Environment;
  readonly masker: Masker;
  /** `merged`: one log in the order of writing. `separate`: standard output can be read by a program. */
  readonly streams: 'merged' | 'separate';
  readonly input?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly cancel?: AbortSignal | undefined;
  /** Live text, masked. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Gets everything, masked, mode 0600. */
  readonly logFile?: string | undefined;
  /** Bytes of output that are kept in the outcome. */
  readonly inlineLimit?: number | undefined;
  readonly marker?: StepMarker | undefined;
  /** What keeps it from the rest of the machine. Absent: nothing does. */
  readonly wall?: Wall | undefined;
  readonly onStarted?: ((identity: ProcessIdentity) => void) | undefined;
}

export type RunProcess = (request: ProcessRequest) => Promise<ProcessOutcome>;

export const INLINE_LIMIT = 4 * 1024 * 1024;
