import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentConversation } from '../../src/agents/adapter.ts';
import type { AgentEvent, AgentUsage } from '../../src/agents/event.ts';
import type { Interaction, Runner, RunnerEnd, RunnerEvent } from '../../src/agents/runner/runner.ts';
import type { Home } from './homes/home.ts';
import type { ModelCall } from './model-server/request-log.ts';
import type { ModelServer } from './model-server/server.ts';
import { survivorsOf } from './survivors.ts';

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: T }>;

/** All that can be said about a run that has ended. */
export interface Observed {
  readonly id: string;
  readonly home: Home;
  readonly end: RunnerEnd;
  readonly events: readonly AgentEvent[];
  readonly interactions: readonly Interaction[];
  /** What the CLI printed, as it is. */
  readonly output: string;
  readonly conversation: AgentConversation | undefined;
  /** What the model server saw of it. */
  readonly calls: readonly ModelCall[];
  /** Its processes that still live. */
  readonly survivors: readonly string[];
  of<T extends AgentEvent['type']>(type: T): readonly EventOf<T>[];
  /** The content of a file in the work folder. */
  file(name: string): string | undefined;
}

export class Observer {
  readonly #events: AgentEvent[] = [];
  readonly #interactions: Interaction[] = [];
  readonly #waiting = new Set<(event: RunnerEvent) => void>();
  #output = '';

  constructor(
    readonly id: string,
    readonly home: Home,
    readonly runner: Runner,
    readonly server: ModelServer,
  ) {
    runner.events.subscribe((event) => this.#hear(event));
  }

  get usages(): readonly AgentUsage[] {
    return this.#events.filter((event) => event.type === 'usage');
  }

  /** The next event of this kind, or undefined when the run ends before it. */
  async next<T extends RunnerEvent['type']>(type: T): Promise<Extract<RunnerEvent, { type: T }> | undefined> {
    return new Promise((resolve) => {
      const look = (event: RunnerEvent): void => {
        if (event.type !== type && event.type !== 'exit') return;
        this.#waiting.delete(look);
        resolve(event.type === type ? (event as Extract<RunnerEvent, { type: T }>) : undefined);
      };
      this.#waiting.add(look);
    });
  }

  /** Once the terminal shows that; false when the run ends before. */
  async shows(isIt: (screen: string) => boolean): Promise<boolean> {
    for (;;) {
      // Before the look: what is painted meanwhile may be the last that is painted.
      const painted = this.next('data');
      if (isIt(await this.runner.screen())) return true;
      if ((await painted) === undefined) return false;
    }
  }

  async finish(): Promise<Observed> {
    const end = await this.runner.ended;
    const events = this.#events;
    return {
      id: this.id,
      home: this.home,
      end,
      events,
      interactions: this.#interactions,
      output: this.#output,
      conversation: this.runner.conversation,
      calls: this.server.log.of(this.id),
      survivors: survivorsOf(this.id),
      of: <T extends AgentEvent['type']>(type: T) =>
        events.filter((event): event is EventOf<T> => event.type === type),
      file: (name) => readIn(this.home.work, name),
    };
  }

  #hear(event: RunnerEvent): void {
    if (event.type === 'data') this.#output += event.raw;
    if (event.type === 'agent') this.#events.push(event.event);
    if (event.type === 'usage') this.#events.push(event);
    if (event.type === 'interaction') this.#interactions.push(event);
    for (const look of this.#waiting) look(event);
  }
}

/** The sum of what came on top; `usd` is absent when one of them has no price. */
export function totalOf(usages: readonly AgentUsage[]): Pick<AgentUsage, 'tokens' | 'usd' | 'estimated'> {
  const sum = (pick: (usage: AgentUsage) => number) =>
    usages.reduce((total, usage) => total + pick(usage), 0);
  const priced = usages.every((usage) => usage.usd !== undefined);
  return {
    tokens: {
      input: sum((usage) => usage.tokens.input),
      cached: sum((usage) => usage.tokens.cached),
      output: sum((usage) => usage.tokens.output),
    },
    ...(priced ? { usd: sum((usage) => usage.usd ?? 0) } : {}),
    // What the CLI says at its end settles what was estimated before.
    estimated: usages
      .slice(usages.findLastIndex(({ settles }) => settles) + 1)
      .some((usage) => usage.estimated),
  };
}

function readIn(folder: string, name: string): string | undefined {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
