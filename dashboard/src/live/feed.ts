import type { QueryClient } from '@tanstack/react-query';
import type { LiveSession } from '../../../src/api/live.ts';
import type { ClientMessage, LiveChange, ServerMessage, Topic } from '../../../src/api/routes/live.ts';
import type { RouteName } from '../../../src/api/routes/routes.ts';
import { ask } from '../api/call.ts';
import { keptProof } from '../api/proof.ts';
import { LiveSessions } from './live-sessions.ts';
import { LiveSocket } from './socket.ts';

/** What is shown of these is asked for again when something behind it has changed. */
const BEHIND: { readonly [type in LiveChange['type']]?: readonly RouteName[] } = {
  'session.changed': ['sessions', 'session', 'overview', 'needsYou'],
  'session.removed': ['sessions', 'session', 'overview', 'needsYou'],
  'session.unreadable': ['sessions', 'session', 'needsYou'],
  'session.rebased': ['steps', 'session'],
  'step.finished': ['steps', 'nextContext', 'logs', 'calls', 'evidence', 'diff', 'stageTasks'],
  'task.changed': ['tasks', 'task', 'overview', 'needsYou'],
  'task.removed': ['tasks', 'task', 'overview'],
  'run.changed': ['task'],
  'lease.changed': ['runtimes', 'tasks'],
  'plan.changed': ['plans', 'conflicts', 'plan', 'previewPlan'],
  'agent.changed': ['agents'],
  'spend.changed': ['budget', 'costs'],
  'live.began': ['stageTasks', 'logs'],
  'live.ended': ['stageTasks', 'logs', 'session'],
};

/** Much happens at once; nobody reads faster than this. */
const ASK_AGAIN_MS = 200;

export interface Connection {
  readonly live: boolean;
  /** Since when it is not; null while it is. */
  readonly since: number | null;
}

type TerminalListener = (bytes: Uint8Array | null, ended?: string) => void;

/** Everything the page is told, in one place: who wants to know says so, and what changed is asked for again. */
export class LiveFeed {
  readonly #queries: QueryClient;
  readonly #socket: LiveSocket;
  readonly #sessions = new LiveSessions();
  readonly #topics = new Map<Topic, number>([['overview', 1]]);
  readonly #listeners = new Set<() => void>();
  readonly #logs = new Map<string, Set<(lines: number) => void>>();
  readonly #terminals = new Map<string, Set<TerminalListener>>();
  readonly #channels = new Map<number, string>();
  readonly #stale = new Set<RouteName>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #connection: Connection = { live: false, since: Date.now() };
  #version = 0;

  constructor(queries: QueryClient) {
    this.#queries = queries;
    this.#socket = new LiveSocket(() => keptProof()?.proof ?? '', {
      message: (message) => this.#heard(message),
      bytes: (frame) => this.#painted(frame),
      connected: (live) => this.#connected(live),
    });
  }

  open(): () => void {
    this.#socket.open();
    return () => this.#socket.close();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly version = (): number => this.#version;
  readonly connection = (): Connection => this.#connection;

  liveOf(id: string): LiveSession | null {
    return this.#sessions.get(id);
  }

  /** Asks to be told of something until the returned function is called. */
  watch(topic: Topic): () => void {
    this.#topics.set(topic, (this.#topics.get(topic) ?? 0) + 1);
    this.#socket.watch([...this.#topics.keys()]);
    if (topic.startsWith('session:')) void this.#askLive(topic.slice('session:'.length));
    return () => {
      const left = (this.#topics.get(topic) ?? 1) - 1;
      if (left > 0) this.#topics.set(topic, left);
      else this.#topics.delete(topic);
      this.#socket.watch([...this.#topics.keys()]);
    };
  }

  watchLog(name: string, listener: (lines: number) => void): () => void {
    const stop = this.watch(`log:${name}`);
    const heard = this.#logs.get(name) ?? new Set();
    this.#logs.set(name, heard.add(listener));
    return () => {
      heard.delete(listener);
      stop();
    };
  }

  watchTerminal(name: string, listener: TerminalListener): () => void {
    const stop = this.watch(`terminal:${name}`);
    const heard = this.#terminals.get(name) ?? new Set();
    this.#terminals.set(name, heard.add(listener));
    return () => {
      heard.delete(listener);
      stop();
    };
  }

  send(message: ClientMessage): void {
    this.#socket.send(message);
  }

  #heard(message: ServerMessage): void {
    if ('reset' in message) {
      this.#sessions.forgetAll();
      void this.#queries.invalidateQueries();
      for (const topic of this.#topics.keys())
        if (topic.startsWith('session:')) void this.#askLive(topic.slice('session:'.length));
    }
    if ('events' in message) for (const { id, change } of message.events) this.#changed(id, change);
    if ('terminal' in message) {
      const { topic, channel, ended, problem } = message.terminal;
      const name = topic.slice('terminal:'.length);
      if (channel !== undefined) this.#channels.set(channel, name);
      const end = ended ?? problem;
      if (end !== undefined) for (const listener of this.#terminals.get(name) ?? []) listener(null, end);
    }
    this.#tell();
  }

  #changed(id: string, change: LiveChange): void {
    if (change.type === 'engine') this.#sessions.event(id, change);
    if (change.type === 'live.began' || change.type === 'live.ended') {
      this.#sessions.forget(change.id);
      void this.#askLive(change.id);
    }
    if (change.type === 'log.grew')
      for (const listener of this.#logs.get(`${change.id}/${change.name}`) ?? []) listener(change.lines);
    for (const name of BEHIND[change.type] ?? []) this.#stale.add(name);
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#askAgain(), ASK_AGAIN_MS);
  }

  #askAgain(): void {
    this.#timer = undefined;
    for (const name of this.#stale) void this.#queries.invalidateQueries({ queryKey: [name] });
    this.#stale.clear();
  }

  async #askLive(id: string): Promise<void> {
    try {
      const { reply, event } = await ask('live', { params: { id } });
      this.#sessions.snapshot(id, reply.live as LiveSession | null, event);
      this.#tell();
    } catch {
      // It is gone or the server is: the page of the session says so itself.
    }
  }

  /** The first byte of a frame is the channel of its terminal. */
  #painted(frame: ArrayBuffer): void {
    const bytes = new Uint8Array(frame);
    const name = this.#channels.get(bytes[0] ?? 0);
    for (const listener of this.#terminals.get(name ?? '') ?? []) listener(bytes.subarray(1));
  }

  #connected(live: boolean): void {
    if (live === this.#connection.live) return;
    this.#connection = live ? { live, since: null } : { live, since: Date.now() };
    this.#tell();
  }

  #tell(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
