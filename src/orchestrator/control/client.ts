import { open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { advise } from '../../kernel/action.ts';
import { ConflictError, errorMessage, LoopwrightError, UsageError } from '../../kernel/errors.ts';
import { isOurSocket } from '../../process/runtime-folder.ts';
import type { ControlAddress, Introduction } from './peer.ts';
import {
  type ControlReply,
  type ControlRequest,
  type Hello,
  PROTOCOL,
  readLines,
  writeLine,
} from './protocol.ts';

/** Ending a process tree takes up to five seconds. */
const PATIENCE_MS = 15_000;
const SILENT = {
  problem: 'The process that runs this session does not answer.',
  next: advise('It may be stopped (Ctrl-Z). Continue it, or take the session over.'),
} as const;

/** Undefined when it takes too long. */
async function withPatience<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A line to the process that runs a session. */
export class OwnerConnection {
  readonly #socket: Socket;
  readonly #waiting: ((reply: ControlReply) => void)[] = [];
  #onReply: (reply: ControlReply) => void = () => undefined;
  readonly closed: Promise<void>;
  /** The first line of the other side. */
  readonly hello: Promise<Hello>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        for (const give of this.#waiting.splice(0)) give({ problem: 'The session ended meanwhile.' });
        resolve();
      });
    });
    socket.on('error', () => socket.destroy());
    this.hello = new Promise((resolve) => {
      let heard = false;
      // A screen full of colours is as long as it is.
      readLines(socket, Number.POSITIVE_INFINITY, (line) => {
        if (heard) return this.#heard(JSON.parse(line) as ControlReply);
        heard = true;
        resolve(JSON.parse(line) as Hello);
      });
    });
  }

  #heard(reply: ControlReply): void {
    const answered = 'ok' in reply || 'problem' in reply ? this.#waiting.shift() : undefined;
    (answered ?? this.#onReply)(reply);
  }

  static async open({ path, key }: ControlAddress): Promise<OwnerConnection> {
    // The path is written in the session, which somebody else may have brought along.
    if (!isOurSocket(path)) {
      throw new LoopwrightError(
        `${path} is not a socket that a session of yours opened, so it is not spoken to.`,
        {
          next: 'The process that ran the session may just have ended: look at the session again.',
        },
      );
    }
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
    const connection = new OwnerConnection(socket);
    await connection.#agree();
    await connection.#enter(key);
    return connection;
  }

  /** Says who calls, and shows it by holding a file open that the owner has laid down. */
  async #enter(key: string): Promise<void> {
    const { proof } = await this.hello;
    const file = await open(proof, 'r').catch(() => undefined);
    try {
      await this.ask({ do: 'enter', key, pid: process.pid });
    } catch (error) {
      this.close();
      throw error;
    } finally {
      await file?.close();
    }
  }

  /** Both sides must speak the same version. */
  async #agree(): Promise<void> {
    const hello = await withPatience(Promise.race([this.hello, this.closed]));
    if (hello?.protocol === PROTOCOL) return;
    this.close();
    if (!hello) throw new ConflictError(SILENT.problem, { next: SILENT.next });
    throw new ConflictError(
      `The session speaks version ${hello.protocol} of the protocol, and this program version ${PROTOCOL}.`,
      { next: 'Use the version of loopwright that runs the session.' },
    );
  }

  /** Resolves with the answer; a refusal is thrown with its reason. */
  async ask(
    request: ControlRequest | (Introduction & { readonly do: 'enter' }),
  ): Promise<Extract<ControlReply, { ok: true }>> {
    const reply = await new Promise<ControlReply>((resolve) => {
      const timer = setTimeout(() => resolve(SILENT), PATIENCE_MS);
      this.#waiting.push((answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      writeLine(this.#socket, { protocol: PROTOCOL, ...request });
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
