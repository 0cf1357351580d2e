import type { ProcessIdentity } from '../../../kernel/process-identity.ts';
import type { Environment, StepMarker } from '../../../process/child-env.ts';
import type { AgentExit } from '../agent-process.ts';
import type { TerminalSize } from '../runner.ts';

/** What the owner of a terminal tells its host. The output comes back on the host's standard output, as it is. */
export type HostCommand =
  | { readonly type: 'start'; readonly launch: TerminalLaunch }
  | { readonly type: 'input'; readonly text: string }
  | { readonly type: 'resize'; readonly size: TerminalSize };

export interface TerminalLaunch {
  /** A path, not a name. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly size: TerminalSize;
  /** How the host finds the processes that left the group when it has to end them. */
  readonly marker: StepMarker;
}

export type HostReport =
  | { readonly type: 'started'; readonly identity: ProcessIdentity }
  | { readonly type: 'failed'; readonly message: string }
  /** After the last byte of the output. */
  | { readonly type: 'exited'; readonly exit: AgentExit };
