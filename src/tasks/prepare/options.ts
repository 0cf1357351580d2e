import type { Claim } from '../../backlog/scheduler.ts';
import type { Config } from '../../config/load-config.ts';
import type { RuntimeSettings } from '../../config/runtime/settings.ts';

/** What preparing a task needs to know of the project. */
export interface PrepareOptions {
  readonly config: Config;
  readonly repository: Omit<RuntimeSettings['repository'], 'mode'>;
  /** What a step of the task really changed, as it becomes known. */
  readonly onChanged?: (claim: Claim, paths: readonly string[]) => Promise<void>;
  /** Told before each part of a delivery that is seen outside; a kill between any two leaves nothing broken. */
  readonly onStep?: (step: 'committing' | 'pushing' | 'opening' | 'opened') => void;
  /** How long to wait before git or GitHub is asked again, each time; for tests. */
  readonly retryMs?: readonly number[];
}
