import { randomUUID } from 'node:crypto';
import type { AgentSettings, ExecutionMode } from '../../src/agents/adapter.ts';
import type { TokenCount } from '../../src/agents/event.ts';
import type { Runner } from '../../src/agents/runner/runner.ts';
import { type Account, Home } from './homes/home.ts';
import { type Cli, installedClis } from './installed.ts';
import { launch } from './launch.ts';
import type { ModelCall } from './model-server/request-log.ts';
import { ModelServer } from './model-server/server.ts';
import { type Observed, Observer, totalOf } from './observed.ts';

export interface RunWish {
  /** What the model server does, see its `scenario.ts`. Absent: it answers. */
  readonly scenario?: string;
  readonly settings?: AgentSettings;
  readonly account?: Account;
  readonly mode?: ExecutionMode;
  /** Absent: a new one. */
  readonly home?: Home;
  readonly timeoutMs?: number;
  readonly ownWaitMs?: number;
  readonly sameTool?: number;
}

export interface LabRun {
  readonly id: string;
  readonly home: Home;
  readonly runner: Runner;
  readonly observer: Observer;
  /** The first such call of its model; undefined when the run ends before. */
  modelCall(isIt: (call: ModelCall) => boolean): Promise<ModelCall | undefined>;
  /** When it has ended by itself, by its time limit or by being stopped. */
  finish(): Promise<Observed>;
}

/** One CLI, a model server and as many homes as runs; each run is by our adapter and our runner. */
export class Lab {
  readonly cli: Cli;
  readonly server: ModelServer;
  readonly #homes: Home[] = [];
  readonly #runners: Runner[] = [];
  #untallied: Observer[] = [];

  private constructor(cli: Cli, server: ModelServer) {
    this.cli = cli;
    this.server = server;
  }

  static async open(cli: Cli): Promise<Lab> {
    return new Lab(cli, await ModelServer.start());
  }

  async run(prompt: string, wish: RunWish = {}): Promise<Observed> {
    const run = await this.start(prompt, wish);
    return run.finish();
  }

  async start(prompt: string, wish: RunWish = {}): Promise<LabRun> {
    const id = `lab-${randomUUID()}`;
    const home = wish.home ?? this.#newHome();
    const modelUrl = this.server.url(wish.scenario ?? 'ok', id);
    const runner = await launch({
      cli: this.cli,
      mode: wish.mode ?? 'headless',
      cwd: home.work,
      env: home.settle(this.cli, installedClis().bin, modelUrl, wish.account ?? 'key'),
      session: id,
      settings: wish.settings ?? {},
      // Room for a machine that is busy with other work; nothing waits for it where all goes well.
      timeoutMs: wish.timeoutMs ?? 300_000,
      more: {
        ...(wish.ownWaitMs === undefined ? {} : { ownWaitMs: wish.ownWaitMs }),
        ...(wish.sameTool === undefined ? {} : { sameTool: wish.sameTool }),
      },
      home: home.home,
      modelUrl,
    });
    this.#runners.push(runner);
    const observer = new Observer(id, home, runner, this.server);
    if (wish.mode !== 'interactive') this.#untallied.push(observer);
    await runner.start(prompt);
    return {
      id,
      home,
      runner,
      observer,
      modelCall: async (isIt) =>
        Promise.race([this.server.log.until(id, isIt), runner.ended.then(() => undefined)]),
      finish: async () => observer.finish(),
    };
  }

  /** Input and output of the headless runs since the last time: what the CLI told, and what the server gave it. */
  tally(): { readonly counted: number; readonly served: number } {
    const runs = this.#untallied;
    this.#untallied = [];
    const sum = (of: (run: Observer) => TokenCount): number =>
      runs.map(of).reduce((total, { input, output }) => total + input + output, 0);
    return {
      counted: sum((run) => totalOf(run.usages).tokens),
      served: sum(({ id }) => this.server.log.usage(id)),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#runners.map(async (runner) => runner.stop()));
    await this.server.close();
    for (const home of this.#homes) home.remove();
  }

  #newHome(): Home {
    const home = new Home(this.cli);
    this.#homes.push(home);
    return home;
  }
}
