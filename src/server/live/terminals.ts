import type { ServerMessage, Topic } from '../../api/routes/live.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Project } from '../../project/project.ts';

/** Where the output of terminals goes. */
export interface TerminalSink {
  bytes(frame: Buffer): void;
  say(message: ServerMessage): void;
  unsent(): number;
}

const OF_TERMINAL = 'terminal:';
/** Beyond this it stands still: it gets the screen as it is once it reads again, and not all that ran over it. */
const SLOW = 1024 * 1024;
const LOOK_AGAIN_MS = 50;
/** A channel is one byte. */
const MOST = 32;

type Owner = Awaited<ReturnType<Project['reachOwner']>>['owner'];

/**
 * The terminals that one socket looks at. The first byte of a binary frame is the channel that a `terminal` message
 * has named; the rest is what the terminal prints.
 */
export class Terminals {
  readonly #project: Pick<Project, 'reachOwner'>;
  readonly #sink: TerminalSink;
  readonly #readOnly: boolean;
  readonly #open = new Map<Topic, Terminal>();

  constructor(
    project: Pick<Project, 'reachOwner'>,
    sink: TerminalSink,
    options: { readonly readOnly: boolean },
  ) {
    this.#project = project;
    this.#sink = sink;
    this.#readOnly = options.readOnly;
  }

  /** Attaches to those that are new and leaves those that are not wanted any more. */
  watch(topics: readonly Topic[]): void {
    const wanted = new Set(topics.filter((topic) => topic.startsWith(OF_TERMINAL)));
    for (const [topic, terminal] of this.#open) {
      if (wanted.has(topic)) continue;
      terminal.close();
      this.#open.delete(topic);
    }
    for (const topic of wanted) if (!this.#open.has(topic)) this.#begin(topic);
  }

  input(topic: string, text: string): void {
    if (this.#readOnly) return this.#sink.say({ problem: 'This server only shows.', code: 'read-only' });
    return this.#open.get(topic)?.input(text);
  }

  resize(topic: string, size: { readonly columns: number; readonly rows: number }): void {
    if (!this.#readOnly) this.#open.get(topic)?.resize(size);
  }

  close(): void {
    this.watch([]);
  }

  #begin(topic: Topic): void {
    const taken = new Set([...this.#open.values()].map(({ channel }) => channel));
    const channel = Array.from({ length: MOST }, (_, n) => n + 1).find((n) => !taken.has(n));
    if (channel === undefined) return this.#sink.say({ terminal: { topic, problem: 'Too many terminals.' } });
    const terminal = new Terminal(this.#project, this.#sink, topic, channel);
    this.#open.set(topic, terminal);
    void terminal.attach();
  }
}

class Terminal {
  readonly channel: number;
  readonly #project: Pick<Project, 'reachOwner'>;
  readonly #sink: TerminalSink;
  readonly #topic: Topic;
  readonly #session: string;
  readonly #task: string;
  #owner: Owner | undefined;
  #behind: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(project: Pick<Project, 'reachOwner'>, sink: TerminalSink, topic: Topic, channel: number) {
    this.#project = project;
    this.#sink = sink;
    this.#topic = topic;
    this.channel = channel;
    const [session = '', ...task] = topic.slice(OF_TERMINAL.length).split('/');
    this.#session = session;
    this.#task = task.join('/');
  }

  async attach(): Promise<void> {
    try {
      const { owner } = await this.#project.reachOwner(this.#session);
      if (this.#isOver) return owner.close();
      this.#owner = owner;
      owner.onReply((reply) => {
        if ('raw' in reply) this.#print(reply.raw);
        else if ('ended' in reply) this.#say({ ended: reply.ended });
      });
      owner.onClosed(() => this.#say({ ended: 'gone' }));
      this.#say({ channel: this.channel });
      await owner.ask({ do: 'attach', task: this.#task });
    } catch (error) {
      this.#say({ problem: errorMessage(error) });
    }
    return undefined;
  }

  input(text: string): void {
    this.#owner?.tell({ do: 'input', text });
  }

  resize(size: { readonly columns: number; readonly rows: number }): void {
    this.#owner?.tell({ do: 'resize', ...size });
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#behind);
    this.#owner?.close();
  }

  #print(raw: string): void {
    if (this.#behind !== undefined) return;
    if (this.#sink.unsent() > SLOW) return this.#waitForRoom();
    return this.#sink.bytes(Buffer.concat([Buffer.from([this.channel]), Buffer.from(raw)]));
  }

  /** Attached anew, the owner draws the screen as it is then. */
  #waitForRoom(): void {
    this.#behind = setTimeout(() => {
      this.#behind = undefined;
      if (this.#sink.unsent() > SLOW / 2) return this.#waitForRoom();
      void this.#owner?.ask({ do: 'attach', task: this.#task }).catch(() => undefined);
      return undefined;
    }, LOOK_AGAIN_MS);
  }

  #say(told: { readonly channel?: number; readonly ended?: string; readonly problem?: string }): void {
    if (!this.#isOver) this.#sink.say({ terminal: { topic: this.#topic, ...told } });
  }
}
