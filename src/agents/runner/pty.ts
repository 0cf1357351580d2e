import type { ExecutionMode } from '../adapter.ts';
import { QueryScan } from '../output/query-scan.ts';
import { Screen } from '../output/screen.ts';
import { HeadlessRunner } from './headless.ts';
import { DEFAULT_SIZE } from './launch.ts';
import { ProcessRunner } from './process-runner.ts';
import { launchPty } from './pty-process.ts';
import type { Runner, RunnerOptions, TerminalSize } from './runner.ts';

/** Runs an agent on a terminal of its own. */
export class AgentRunner extends ProcessRunner {
  override readonly kind = 'pty';
  protected override readonly view: Screen;
  protected override readonly launch = launchPty;
  readonly #screen: Screen;
  /** Programs ask their terminal things, and some give up when nobody replies. */
  readonly #queries = new QueryScan();

  constructor(options: RunnerOptions) {
    super('interactive', options);
    const { size = DEFAULT_SIZE } = options;
    // Two of them: the one that is looked at for questions forgets what was answered.
    this.view = new Screen(size);
    this.#screen = new Screen(size);
  }

  override screen(): Promise<string> {
    return this.#screen.repaint();
  }

  protected override resized(size: TerminalSize): void {
    this.view.resize(size);
    this.#screen.resize(size);
  }

  protected override heard(raw: string): void {
    this.#screen.push(raw);
    if (this.#queries.push(raw)) void this.#screen.replies().then((replies) => this.reply(replies));
  }
}

/** Interactive agents get a terminal, headless ones pipes. */
export function createRunner(mode: ExecutionMode, options: RunnerOptions): Runner {
  return mode === 'interactive' ? new AgentRunner(options) : new HeadlessRunner(options);
}
