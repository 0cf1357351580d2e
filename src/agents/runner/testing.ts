import { fileURLToPath } from 'node:url';
import { createMasker } from '../../kernel/mask.ts';
import type { IAgentAdapter, LaunchConfig } from '../adapter.ts';
import { createRunner } from './pty.ts';
import type { Interaction, Runner, RunnerEnd, RunnerEvent, RunnerOptions } from './runner.ts';

/** How one of the programs in test/fake-agents is started. */
export function launchOf(program: string, ...args: string[]): LaunchConfig {
  const file = fileURLToPath(new URL(`../../../test/fake-agents/${program}.mjs`, import.meta.url));
  return { command: process.execPath, args: [file, ...args] };
}

export function fakeAgent(
  program: string,
  args: readonly string[] = [],
  more: Partial<IAgentAdapter> = {},
): IAgentAdapter {
  return { name: program, getLaunchConfig: () => launchOf(program, ...args), ...more };
}

/** A run that remembers its events and can be waited for. */
export class WatchedRun {
  readonly runner: Runner;
  readonly events: RunnerEvent[] = [];
  #waiting: (() => void)[] = [];

  constructor(kind: Runner['kind'], adapter: IAgentAdapter, more: Partial<RunnerOptions> = {}) {
    this.runner = createRunner(kind === 'pty' ? 'interactive' : 'headless', {
      adapter,
      cwd: '/',
      env: { PATH: process.env['PATH'], HOME: '/nowhere' },
      masker: createMasker([]),
      quietMs: 30,
      ...more,
    });
    this.runner.events.subscribe((event) => {
      this.events.push(event);
      for (const look of this.#waiting.splice(0)) look();
    });
  }

  get clean(): string {
    return this.#data()
      .map((event) => event.clean)
      .join('');
  }

  get raw(): string {
    return this.#data()
      .map((event) => event.raw)
      .join('');
  }

  get interactions(): Interaction[] {
    return this.events.filter((event) => event.type === 'interaction');
  }

  /** Starts it and resolves with its end. */
  async finish(prompt?: string): Promise<RunnerEnd> {
    await this.runner.start(prompt);
    return this.runner.ended;
  }

  /** Resolves when the condition holds; looked at after every event. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve, reject) => {
        if (this.events.at(-1)?.type === 'exit') reject(new Error(`it ended before: ${this.clean}`));
        this.#waiting.push(resolve);
      });
    }
  }

  says(text: string | RegExp): Promise<void> {
    return this.until(() => (typeof text === 'string' ? this.clean.includes(text) : text.test(this.clean)));
  }

  #data() {
    return this.events.filter((event) => event.type === 'data');
  }
}
