import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode, errorMessage, LoopwrightError, UsageError } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import {
  type ControlReply,
  type ControlRequest,
  type Hello,
  LONGEST_LINE,
  PROTOCOL,
  readLines,
  requestShape,
  writeLine,
} from './protocol.ts';

/** The way back to one connection; a terminal that stays attached gets more than one reply. */
export interface ControlOutput {
  reply(reply: ControlReply): void;
  /** Whether the other side reads what it is sent. */
  hasRoom(): boolean;
}

/** Does what one connection asks for. */
export interface ControlHandler {
  handle(request: ControlRequest, out: ControlOutput): Promise<void>;
  /** All that was sent is read. */
  drained(): void;
  close(): void;
}

/** What a terminal that does not read may cost us. */
const MOST_UNREAD = 4 * 1024 * 1024;

/** A socket path must fit into 104 bytes on macOS, 108 on Linux. */
const LONGEST_TEMP_ROOT = 80;

/** The socket by which other terminals of the same user reach the owner of a session. */
export class ControlServer {
  readonly path: string;
  readonly #folder: string;
  readonly #server: Server;
  readonly #connections = new Set<Socket>();

  private constructor(folder: string, server: Server, path: string) {
    this.#folder = folder;
    this.#server = server;
    this.path = path;
  }

  /** Only for the owner of the session: what earlier owners of it have left is removed. */
  static async open(session: string, handlerFor: () => ControlHandler): Promise<ControlServer> {
    const root = tmpdir().length > LONGEST_TEMP_ROOT ? '/tmp' : tmpdir();
    const prefix = `lw-${session}-`;
    await removeLeft(root, prefix);
    // Only we can enter the folder, so nobody gets at the socket before its own mode is set.
    const folder = await mkdtemp(join(root, prefix));
    const path = join(folder, 's');
    const server = createServer();
    const opened = new ControlServer(folder, server, path);
    const hello: Hello = { protocol: PROTOCOL, session };
    server.on('connection', (socket) => {
      writeLine(socket, hello);
      opened.#serve(socket, handlerFor());
    });
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(path, resolve);
      });
      await chmod(path, 0o600);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    // A session that is done does not stay because somebody could still call.
    server.unref();
    return opened;
  }

  async close(): Promise<void> {
    for (const socket of this.#connections) socket.end();
    this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #serve(socket: Socket, handler: ControlHandler): void {
    this.#connections.add(socket);
    socket.unref();
    const out: ControlOutput = {
      reply: (answer) => writeLine(socket, answer),
      hasRoom: () => socket.writableLength < MOST_UNREAD,
    };
    socket.on('drain', () => handler.drained());
    readLines(socket, LONGEST_LINE, (line) => {
      void act(line, handler, out);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#connections.delete(socket);
      handler.close();
    });
  }
}

async function act(line: string, handler: ControlHandler, out: ControlOutput): Promise<void> {
  try {
    await handler.handle(readRequest(line), out);
  } catch (error) {
    const next = error instanceof LoopwrightError ? error.next : undefined;
    out.reply({ problem: errorMessage(error), ...(next === undefined ? {} : { next }) });
  }
}

/** Throws in words that the other side can show. */
function readRequest(line: string): ControlRequest {
  const said = parsed(line);
  const protocol = isJsonObject(said) ? (said.protocol ?? PROTOCOL) : PROTOCOL;
  if (protocol !== PROTOCOL) {
    throw new UsageError(
      `This session speaks version ${PROTOCOL} of the protocol, not version ${JSON.stringify(protocol)}.`,
      { next: 'Use the same version of loopwright for the session and for this request.' },
    );
  }
  const request = requestShape.safeParse(said);
  if (request.success) return request.data;
  throw new UsageError('This is not a request that a session understands.', {
    next: `It can be asked for: ${requestShape.options.map(({ shape }) => shape.do.value).join(', ')}.`,
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** An owner that was killed could not remove its socket. */
async function removeLeft(root: string, prefix: string): Promise<void> {
  const names = await readdir(root);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    await rm(join(root, name), { recursive: true, force: true }).catch(ignoreForeign);
  }
}

/** Somebody else made a folder of this name; it is none of ours. */
function ignoreForeign(error: unknown): void {
  const code = errorCode(error);
  if (code !== 'EPERM' && code !== 'EACCES') throw error;
}
