import type { AdapterRegistry } from '../agents/registry/registry.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Masker } from '../kernel/mask.ts';
import type { Environment } from '../process/child-env.ts';
import type { RunProcess } from '../process/request.ts';
import type { WriteFile } from '../workspace/tree-writer.ts';

export type CommandKind = 'test' | 'lint' | 'build';
/** Words, or one line that is read like a shell reads plain words. */
export type CommandText = string | readonly string[];

/** What the internal workers need from outside. */
export interface WorkerServices {
  readonly baseEnv: Environment;
  readonly masker: Masker;
  readonly timeoutMs?: number;
  readonly commands?: { readonly [kind in CommandKind]?: CommandText };
  /** Bound to the running session. */
  readonly changePlan?: ChangePlan;
  readonly treeWriter?: WriteFile;
  readonly processes?: RunProcess;
  /** The agents that can be run; the built-in ones when absent. */
  readonly adapters?: AdapterRegistry;
  readonly clock?: Clock;
}

export interface ChangePlan {
  addToChangePlan(files: readonly string[]): Promise<void>;
}
