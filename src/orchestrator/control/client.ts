import { connect, type Socket } from 'node:net';
import { advise } from '../../kernel/action.ts';
import { errorMessage, LoopwrightError, UsageError } from '../../kernel/errors.ts';
import { readLines, writeLine } from './json-lines.ts';
import type { ControlReply, ControlRequest } from './protocol.ts';

/** Ending a process tree takes up to five seconds. */
const PATIENCE_MS = 15_000;
const SILENT: ControlReply = {
  problem: 'The process that runs this session does not answer.',
  next: advise('It may be stopped (Ctrl-Z). Continue it, or take the session over.'),
};

/** A line to the process that runs a session. */
export class OwnerConnection {
  readonly #socket: Socket;
  readonly #waiting: ((reply: ControlReply) => void)[] = [];
  #onReply: (reply: ControlReply) => void = () => undefined;
  readonly closed: Promise<void>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        for (const give of this.#waiting.splice(0)) give({ problem: 'The session ended meanwhile.' });
        resolve();
      });
    });
    socket.on('error', () => socket.destroy());
    // A screen full of colours is as long as it is.
    readLines(socket, Number.POSITIVE_INFINITY, (line) => {
      const reply = JSON.parse(line) as ControlReply;
      const answered = 'ok' in reply || 'problem' in reply ? this.#waiting.shift() : undefined;
      (answered ?? this.#onReply)(reply);
    });
  }

  static async open(path: string): Promise<OwnerConnection> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', (error) => {
        reject(
          new LoopwrightError(
            `The process that runs this session cannot be reached: ${errorMessage(error)}`,
            {
              next: 'It may just have ended: look at the session again.',
              cause: error,
            },
          ),
        );
      });
    });
    return new OwnerConnection(socket);
  }

  /** Resolves with the answer; a refusal is thrown with its reason. */
  async ask(request: ControlRequest): Promise<Extract<ControlReply, { ok: true }>> {
    const reply = await new Promise<ControlReply>((resolve) => {
      const timer = setTimeout(() => resolve(SILENT), PATIENCE_MS);
      this.#waiting.push((answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      writeLine(this.#socket, request);
    });
    if ('ok' in reply) return reply;
    const { problem, next } = 'problem' in reply ? reply : { problem: 'It gave no answer.', next: undefined };
    throw new UsageError(problem, next === undefined ? {} : { next });
  }

  /** While attached: nobody answers these. */
  tell(request: Extract<ControlRequest, { do: 'input' | 'resize' }>): void {
    writeLine(this.#socket, request);
  }

  onClosed(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  onReply(listener: (reply: ControlReply) => void): void {
    this.#onReply = listener;
  }

  close(): void {
    this.#socket.end();
  }
}
