import type { AgentConversation } from './adapter.ts';
import type { AgentError, AgentEvent, FileChange } from './event.ts';
import type { Runner, RunnerEnd, RunnerEvent } from './runner/runner.ts';
import { WebFold, type WebUse } from './web-use.ts';

/** What one run of an agent came to. `ok` is the only claim of success, and none of the CLI's own words is one. */
export interface AgentOutcome {
  readonly ok: boolean;
  readonly end: RunnerEnd;
  /** It was stopped, but only after its last word: it has happened. */
  readonly finished: boolean;
  /** What it said last, or the end of its output where it has no stream. */
  readonly text: string;
  /** It says that it is done, but its last tool was denied: whether its work is right is for others to say. */
  readonly blocked: boolean;
  /** Why it is not ok, where the agent said so. */
  readonly error: AgentError | undefined;
  readonly denied: readonly Denied[];
  readonly files: readonly ChangedFile[];
  readonly used: AgentUse;
  readonly web: WebUse;
  readonly conversation: AgentConversation | undefined;
}

export interface Denied {
  readonly tool: string;
  readonly reason: string;
}

export interface ChangedFile {
  readonly path: string;
  readonly change: FileChange;
}

export interface AgentUse {
  readonly tokens: number;
  readonly usd: number;
  readonly estimated: boolean;
}

/** An agent that prints the same denial forever must not fill our memory. */
const MOST_REMEMBERED = 1000;

/** Gathers the events of a run into its outcome. */
export class OutcomeFold {
  readonly #files = new Map<string, FileChange>();
  readonly #denied: Denied[] = [];
  readonly #web = new WebFold();
  #used: AgentUse = { tokens: 0, usd: 0, estimated: false };
  #error: AgentError | undefined;
  #result: Extract<AgentEvent, { type: 'result' }> | undefined;
  #said = '';
  #streamed = false;

  add(event: RunnerEvent): void {
    if (event.type === 'usage') {
      const { tokens, usd, estimated, settles = false } = event;
      this.#used = {
        tokens: this.#used.tokens + tokens.input + tokens.output,
        usd: this.#used.usd + (usd ?? 0),
        estimated: (this.#used.estimated && !settles) || estimated || usd === undefined,
      };
    } else if (event.type === 'agent') {
      this.#streamed = true;
      this.#web.add(event.event);
      this.#hear(event.event);
    }
  }

  end(runner: Pick<Runner, 'tail' | 'conversation'>, end: RunnerEnd): AgentOutcome {
    const streamed = this.#streamed;
    const finished = this.#result?.ok === true && end.kind === 'stopped';
    // One that was stopped after its last word, for what that word cost, has ended by itself.
    const exitedWell = (end.kind === 'exited' && end.code === 0) || finished;
    // Where there is a stream, only its terminal event counts; elsewhere the exit code is all there is.
    const ok = exitedWell && (streamed ? (this.#result?.ok ?? false) : true);
    return {
      ok,
      finished,
      blocked: exitedWell && this.#result?.blocked === true,
      end,
      text: this.#result?.text || this.#said || (streamed ? '' : runner.tail()),
      error: ok ? undefined : this.#error,
      denied: this.#denied,
      files: [...this.#files].map(([path, change]) => ({ path, change })),
      used: this.#used,
      web: this.#web.use,
      conversation: runner.conversation,
    };
  }

  #hear(event: Extract<RunnerEvent, { type: 'agent' }>['event']): void {
    switch (event.type) {
      case 'text':
        this.#said = event.text;
        return;
      case 'file':
        if (this.#files.size < MOST_REMEMBERED) this.#files.set(event.path, event.change);
        return;
      case 'denied':
        if (this.#denied.length < MOST_REMEMBERED) {
          this.#denied.push({ tool: event.tool, reason: event.reason });
        }
        return;
      case 'error':
        this.#error = event;
        return;
      case 'result':
        this.#result = event;
        return;
      default:
        return;
    }
  }
}
