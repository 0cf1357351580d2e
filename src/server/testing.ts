import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { ClientMessage, LiveEvent, ServerMessage } from '../api/routes/live.ts';
import { Orchestrator } from '../orchestrator/orchestrator.ts';
import { SessionManager } from '../orchestrator/state/session-manager.ts';
import { HALTING, haltingWorkers as workers } from '../orchestrator/testing.ts';
import { openProject, type Project } from '../project/project.ts';
import { type ServeOptions, type Serving, serve } from './serve.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test looks into is whatever the server said
  readonly body: any;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: unknown;
}

/** A project of this test, gone when it ends. */
export function tempProject(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'lw-server-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, '.loopwright', 'sessions'), { recursive: true });
  return dir;
}

export interface Served {
  readonly dir: string;
  readonly project: Project;
  readonly serving: Serving;
  readonly sessions: SessionManager;
  /** As a script. */
  readonly call: (path: string, asking?: Asking) => Promise<Answer>;
  /** As nobody: exactly what is given. */
  readonly raw: (path: string, asking?: Asking) => Promise<Answer>;
}

/** A server on a port that the system chose, for a project of this test. */
export async function served(options: ServeOptions = {}, dir: string = tempProject()): Promise<Served> {
  const project = openProject(dir);
  const serving = await serve(project, { port: 0, ...options });
  onTestFinished(() => serving.close());
  const bearer = serving.newBearer();
  const raw = (path: string, asking: Asking = {}) => ask(serving.port, `/api/v1${path}`, asking);
  return {
    dir,
    project,
    serving,
    sessions: SessionManager.onDisk(join(dir, '.loopwright', 'sessions')),
    raw,
    call: (path, { headers, ...rest } = {}) =>
      raw(path, { ...rest, headers: { authorization: `Bearer ${bearer}`, ...headers } }),
  };
}

/** One request, with the headers exactly as they are given. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Asking,
): Promise<Answer> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  const type =
    text === undefined || 'content-type' in headers
      ? length
      : { ...length, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers: { ...type, ...headers } },
      (got) => {
        const chunks: Buffer[] = [];
        got.on('data', (chunk: Buffer) => chunks.push(chunk));
        got.on('end', () => {
          const said = Buffer.concat(chunks).toString('utf8');
          const isJson = (got.headers['content-type'] ?? '').startsWith('application/json');
          const read = isJson && said !== '' ? JSON.parse(said) : undefined;
          resolve({ status: got.statusCode ?? 0, headers: got.headers, text: said, body: read });
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

/** Logs in as a browser does; gives the headers that every call of it carries. */
export async function logIn({ serving, raw }: Served): Promise<{ readonly [name: string]: string }> {
  const origin = serving.address;
  const token = serving.newUrl().split('#')[1];
  const { headers, body } = await raw('/auth', { method: 'POST', headers: { origin }, body: { token } });
  const [cookie = ''] = (headers['set-cookie']?.[0] ?? '').split(';');
  return { origin, cookie, 'x-loopwright': body.proof };
}

/** A socket that remembers what it was told. */
export class TestSocket {
  readonly messages: ServerMessage[] = [];
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #frames: Buffer[] = [];
  #wake: () => void = () => undefined;

  constructor(port: number, headers: { readonly [name: string]: string }) {
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/live`, { headers });
    this.#socket.on('message', (data, isBinary) => {
      if (isBinary) this.#frames.push(data as Buffer);
      else this.messages.push(JSON.parse((data as Buffer).toString('utf8')) as ServerMessage);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.#socket.on('close', (code) => {
        resolve(code);
        this.#wake();
      });
      this.#socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      this.#socket.on('error', () => undefined);
    });
    onTestFinished(() => this.#socket.terminate());
  }

  async say(message: ClientMessage): Promise<void> {
    if (this.#socket.readyState === WebSocket.CONNECTING)
      await new Promise((resolve) => this.#socket.once('open', resolve));
    this.#socket.send(JSON.stringify(message));
  }

  get events(): LiveEvent[] {
    return this.messages.flatMap((message) => ('events' in message ? message.events : []));
  }

  /** What a terminal has printed so far. */
  terminal(topic: string): string {
    const told = this.messages.flatMap((message) =>
      'terminal' in message && message.terminal.topic === topic ? [message.terminal.channel] : [],
    );
    const channels = new Set(told);
    const own = this.#frames.filter(([channel]) => channels.has(channel));
    return Buffer.concat(own.map((frame) => frame.subarray(1))).toString('utf8');
  }

  /** Waits until what was told fits. */
  async until<T>(found: () => T | undefined | false): Promise<T> {
    for (;;) {
      const value = found();
      if (value !== undefined && value !== false) return value;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** A session that halted at its second block. */
export async function halted(sessions: SessionManager, goal = 'fix the login'): Promise<string> {
  return (await new Orchestrator(HALTING, { workers, sessions }).execute('N', { goal })).sessionId;
}

export { workers };
