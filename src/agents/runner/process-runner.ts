import { UsageError } from '../../kernel/errors.ts';
import { Emitter, type EventStream } from '../../kernel/events.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { AgentConversation, AgentStream, ExecutionMode } from '../adapter.ts';
import type { View } from '../interaction/watch.ts';
import { Tail } from '../output/tail.ts';
import type { AgentProcess, LaunchRequest } from './agent-process.ts';
import { launchRequest, writeLaunchFiles } from './launch.ts';
import { type RunnerSettings, settle } from './options.ts';
import type { Runner, RunnerEnd, RunnerEvent, RunnerOptions, TerminalSize } from './runner.ts';
import { RunningAgent } from './running-agent.ts';

const TAIL_LENGTH = 64 * 1024;

type State =
  | { readonly at: 'new' }
  | { readonly at: 'starting'; readonly started: Promise<unknown> }
  | { readonly at: 'running'; readonly process: AgentProcess; readonly agent: RunningAgent }
  | { readonly at: 'ended' };

/** What the runners with and without a terminal have in common: one process, from `new` over `running` to `ended`. */
export abstract class ProcessRunner implements Runner {
  abstract readonly kind: Runner['kind'];
  readonly ended: Promise<RunnerEnd>;
  protected readonly options: RunnerSettings;
  readonly #mode: ExecutionMode;
  readonly #events = new Emitter<RunnerEvent>();
  readonly #tail = new Tail(TAIL_LENGTH);
  #state: State = { at: 'new' };
  #stream: AgentStream | undefined;
  #end: (end: RunnerEnd) => void = () => {};

  constructor(mode: ExecutionMode, options: RunnerOptions) {
    this.#mode = mode;
    this.options = settle(new.target.name, options);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  protected abstract launch(request: LaunchRequest): Promise<AgentProcess>;
  /** What is looked at for questions where the CLI has no stream. */
  protected abstract readonly view: View;
  /** Called with all output, masked. */
  protected heard(_raw: string): void {}

  protected resized(_size: TerminalSize): void {}

  /** Writes what no person has said. */
  protected reply(text: string): void {
    if (text !== '' && this.#state.at === 'running') this.#state.process.write(text);
  }

  get events(): EventStream<RunnerEvent> {
    return this.#events;
  }

  get conversation(): AgentConversation | undefined {
    return this.#stream?.conversation;
  }

  start(prompt?: string, extraArgs?: readonly string[]): Promise<ProcessIdentity> {
    if (this.#state.at !== 'new') {
      throw new UsageError(`The runner of ${this.options.adapter.name} was started before.`, {
        next: 'A runner owns one process: make another one.',
      });
    }
    const started = this.#start(prompt, extraArgs);
    this.#state = { at: 'starting', started };
    return started;
  }

  send(text: string): void {
    this.#running('Nothing can be sent').agent.send(text);
  }

  answer(text: string): void {
    this.#running('Nothing can be answered').agent.answer(text);
  }

  resize(size: TerminalSize): void {
    if (this.#state.at !== 'running') return;
    this.#state.process.resize(size);
    this.resized(size);
  }

  async stop(): Promise<void> {
    if (this.#state.at === 'starting') await Promise.allSettled([this.#state.started]);
    if (this.#state.at !== 'running') return;
    this.#state.agent.interrupt({ kind: 'stopped' });
    await this.ended;
  }

  tail(): string {
    return this.#tail.readLines();
  }

  screen(): Promise<string> {
    return Promise.resolve(this.tail());
  }

  async #start(prompt?: string, extraArgs?: readonly string[]): Promise<ProcessIdentity> {
    const { adapter } = this.options;
    try {
      const process = await this.#launch(prompt, extraArgs);
      this.#state = { at: 'running', process, agent: this.#attend(process) };
      return process.identity;
    } catch (error) {
      this.#state = { at: 'ended' };
      adapter.onError?.(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  async #launch(prompt?: string, extraArgs?: readonly string[]): Promise<AgentProcess> {
    const { adapter, cancel } = this.options;
    cancel?.throwIfAborted();
    const config = adapter.getLaunchConfig(this.#mode, prompt, extraArgs);
    this.#stream = adapter.openStream?.(this.#mode);
    await writeLaunchFiles(config);
    const noInput = config.closeStdin === true && this.#stream?.opening === undefined;
    return this.launch(launchRequest(config, this.options, noInput));
  }

  #attend(process: AgentProcess): RunningAgent {
    const { adapter } = this.options;
    this.#events.subscribe((event) => {
      if (event.type === 'data') adapter.onOutput?.(event.raw, event.clean);
      else if (event.type === 'exit') adapter.onExit?.(event.end);
    });
    const agent = new RunningAgent({
      process,
      run: this.options,
      stream: this.#stream,
      view: this.view,
      emit: (event) => this.#emit(event),
    });
    void agent.ended.then((end) => this.#ended(end));
    return agent;
  }

  #emit(event: RunnerEvent): void {
    if (event.type === 'data') {
      this.#tail.push(event.clean);
      this.heard(event.raw);
    }
    this.#events.emit(event);
  }

  #ended(end: RunnerEnd): void {
    this.#state = { at: 'ended' };
    this.#events.emit({ type: 'exit', end });
    this.#end(end);
  }

  #running(what: string): Extract<State, { at: 'running' }> {
    if (this.#state.at === 'running') return this.#state;
    const { name } = this.options.adapter;
    throw new UsageError(
      `${what}: ${name} ${this.#state.at === 'ended' ? 'has ended' : 'is not running yet'}.`,
    );
  }
}
