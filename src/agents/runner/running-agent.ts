import { Intake } from '../../process/intake.ts';
import { LogFile } from '../../process/log-file.ts';
import type { AgentStream } from '../adapter.ts';
import type { AgentError, AgentEvent } from '../event.ts';
import { Interactions } from '../interaction/interactions.ts';
import type { View } from '../interaction/watch.ts';
import { OutputChannel } from '../output/channel.ts';
import type { AgentExit, AgentOutput, AgentProcess } from './agent-process.ts';
import type { RunnerSettings } from './options.ts';
import { OwnWaitWatch } from './own-wait.ts';
import type { RunnerEnd, RunnerEvent } from './runner.ts';
import { SameToolWatch } from './same-tool.ts';
import { StreamReader } from './stream-reader.ts';
import { type ReachedLimit, TimeLimits } from './time-limits.ts';

/** A screen that was not painted for this long is finished. */
const QUIET_MS = 400;

/** Why a run ends that did not end by itself. */
export type Interruption =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'given-up' }
  | ({ readonly kind: 'timed-out' } & ReachedLimit);

export interface RunningAgentOptions {
  readonly process: AgentProcess;
  readonly run: RunnerSettings;
  readonly stream: AgentStream | undefined;
  /** What is looked at for questions where there is no stream. */
  readonly view: View;
  readonly emit: (event: Exclude<RunnerEvent, { type: 'exit' }>) => void;
}

/**
 * A process from its start to its end, with everybody who listens to it. Invariants:
 * 1. It is over when the process has ended and its output was read; if it was interrupted, when its tree is gone.
 * 2. Nothing is emitted after that.
 * 3. Output is dealt with, log included, before more of it is read: a flood is slowed down and piles up nowhere.
 */
export class RunningAgent {
  readonly ended: Promise<RunnerEnd>;
  readonly #options: RunningAgentOptions;
  readonly #startedAt = performance.now();
  readonly #log: LogFile | undefined;
  readonly #reader: StreamReader | undefined;
  readonly #interactions: Interactions;
  readonly #limits: TimeLimits;
  readonly #ownWait: OwnWaitWatch;
  readonly #sameTool: SameToolWatch;
  readonly #openTools = new Set<string>();
  readonly #interrupted: Promise<Interruption>;
  #interrupt: (how: Interruption) => void = () => {};
  #givenUp = false;

  constructor(options: RunningAgentOptions) {
    const { run, stream, view, emit } = options;
    const { adapter, masker, logFile, quietMs = QUIET_MS } = run;
    this.#options = options;
    this.#interrupted = new Promise((resolve) => {
      this.#interrupt = resolve;
    });
    this.#log = logFile === undefined ? undefined : new LogFile(logFile);
    const listener = (event: AgentEvent) => this.#told(event);
    this.#reader =
      stream && new StreamReader({ stream, masker, listener, write: (text) => this.#tell(text) });
    this.#limits = new TimeLimits({ totalMs: run.timeoutMs, silenceMs: run.silenceMs }, (reached) =>
      this.interrupt({ kind: 'timed-out', ...reached }),
    );
    this.#ownWait = new OwnWaitWatch(run.ownWaitMs, (error) => this.#giveUp(error));
    this.#sameTool = new SameToolWatch(run.sameTool);
    this.#interactions = new Interactions({
      adapter,
      masker,
      stream,
      view,
      quietMs,
      tell: emit,
      onWaiting: (waiting) => (waiting ? this.#limits.suspend() : this.#limits.resume()),
    });
    this.ended = this.#follow();
  }

  interrupt(how: Interruption): void {
    this.#interrupt(how);
  }

  send(text: string): void {
    this.#options.process.write(text);
    this.#interactions.sent();
  }

  answer(text: string): void {
    const { process } = this.#options;
    const answer = this.#interactions.answer(text);
    if (answer.by === 'submit') process.submit(answer.text);
    else process.write(answer.text);
  }

  async #follow(): Promise<RunnerEnd> {
    const { process, run } = this.#options;
    const intakes = process.outputs.map((output) => this.#take(output));
    const onCancel = () => this.interrupt({ kind: 'stopped' });
    run.cancel?.addEventListener('abort', onCancel);
    if (run.cancel?.aborted) onCancel();
    this.#limits.resume();
    this.#open();
    const how = await Promise.race([process.exit, this.#interrupted]);
    this.#limits.suspend();
    this.#ownWait.close();
    run.cancel?.removeEventListener('abort', onCancel);
    if (isInterruption(how)) await process.end();
    const left = isInterruption(how) ? undefined : await process.tidy();
    for (const finish of intakes) await finish();
    if (left !== undefined) this.#note(left);
    return { ...this.#finish(how), ...(left === undefined ? {} : { left: left.trim() }) };
  }

  #open(): void {
    const { opening } = this.#options.stream ?? {};
    if (opening !== undefined) this.#tell(opening);
  }

  /** Says something on the channel by itself. */
  #tell(text: string): void {
    try {
      this.#options.process.write(text);
    } catch {
      // It is gone before it listened; how it ended says more than a closed input.
    }
  }

  /** Begins to read an output; what it gives back reads the rest. */
  #take({ name, bytes }: AgentOutput): () => Promise<void> {
    const channel = new OutputChannel(this.#options.run.masker, (raw, clean) =>
      this.#heard(name, raw, clean),
    );
    const intake = new Intake(bytes, channel);
    return async () => {
      await intake.finish();
      channel.end();
    };
  }

  #heard(name: AgentOutput['name'], raw: string, clean: string): void {
    this.#limits.heard();
    this.#log?.writeText(raw);
    this.#options.emit({ type: 'data', stream: name, raw, clean });
    this.#reader?.push(name === 'terminal' ? clean : raw, name === 'stderr' ? 'stderr' : 'stdout');
    this.#look();
    this.#interactions.heard(raw, clean);
  }

  /** Of ours, not of the agent's: it is kept and shown, and no stream is asked what it means. */
  #note(text: string): void {
    this.#log?.writeText(text);
    this.#options.emit({ type: 'data', stream: 'stderr', raw: text, clean: text });
  }

  #told(event: AgentEvent): void {
    const { emit, process, stream } = this.#options;
    if (event.type === 'asked') return this.#interactions.asked(event);
    if (event.type === 'withdrawn') return this.#interactions.withdrawn(event.id);
    emit(event.type === 'usage' ? event : { type: 'agent', event });
    this.#attendTools(event);
    // A CLI that got its prompt over its open input waits for the next one.
    if (event.type === 'result' && stream?.opening !== undefined) process.closeInput();
  }

  /** After everything that was heard. */
  #look(): void {
    const { stream } = this.#options;
    this.#ownWait.look(stream?.waits);
    this.#limits.busy(this.#openTools.size > 0 || stream?.busy === true);
  }

  #attendTools(event: AgentEvent): void {
    if (event.type === 'tool') this.#openTools.add(event.id);
    if (event.type === 'tool.ended') this.#openTools.delete(event.id);
    const circles = this.#sameTool.hear(event);
    if (circles) this.#giveUp(circles);
  }

  /** Once: what follows on the way out is not why. */
  #giveUp(error: AgentError): void {
    if (this.#givenUp) return;
    this.#givenUp = true;
    this.#options.emit({ type: 'agent', event: error });
    this.interrupt({ kind: 'given-up' });
  }

  #finish(how: AgentExit | Interruption): RunnerEnd {
    const end: RunnerEnd = { ...how, durationMs: performance.now() - this.#startedAt };
    this.#interactions.close();
    this.#reader?.end(end);
    this.#log?.close();
    return end;
  }
}

function isInterruption(how: AgentExit | Interruption): how is Interruption {
  return how.kind !== 'exited' && how.kind !== 'killed';
}
