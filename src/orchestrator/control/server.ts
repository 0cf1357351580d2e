import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage, LoopwrightError } from '../../kernel/errors.ts';
import { readLines, writeLine } from './json-lines.ts';
import { type ControlReply, type ControlRequest, requestShape } from './protocol.ts';

/** Does what one connection asks for; `reply` may be called more than once while it is attached. */
export interface ControlHandler {
  handle(request: ControlRequest, reply: (reply: ControlReply) => void): Promise<void>;
  close(): void;
}

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

  static async open(handlerFor: () => ControlHandler): Promise<ControlServer> {
    const root = tmpdir().length > LONGEST_TEMP_ROOT ? '/tmp' : tmpdir();
    // Only we can enter the folder, so nobody gets at the socket before its own mode is set.
    const folder = await mkdtemp(join(root, 'lw-'));
    const path = join(folder, 's');
    const server = createServer();
    const opened = new ControlServer(folder, server, path);
    server.on('connection', (socket) => opened.#serve(socket, handlerFor()));
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
    const reply = (answer: ControlReply) => writeLine(socket, answer);
    readLines(socket, (line) => {
      void act(line, handler, reply);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#connections.delete(socket);
      handler.close();
    });
  }
}

async function act(
  line: string,
  handler: ControlHandler,
  reply: (reply: ControlReply) => void,
): Promise<void> {
  try {
    const request = requestShape.safeParse(JSON.parse(line));
    if (!request.success) return reply({ problem: 'This is not a request that a session understands.' });
    await handler.handle(request.data, reply);
  } catch (error) {
    const next = error instanceof LoopwrightError ? error.next : undefined;
    reply({ problem: errorMessage(error), ...(next === undefined ? {} : { next }) });
  }
}
