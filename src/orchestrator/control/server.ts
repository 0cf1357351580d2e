import { randomBytes } from 'node:crypto';
import { chmod, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { DeniedError, errorMessage, LoopwrightError, UsageError } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { isOurSocket, runtimeFolder } from '../../process/runtime-folder.ts';
import { admit, type Introduction, newKey, Proof } from './peer.ts';
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

/** Of a session's id, so that the path of its socket stays short. */
const LONGEST_NAME = 26;

/** What a terminal that does not read may cost us. */
const MOST_UNREAD = 4 * 1024 * 1024;

/** The socket by which other terminals of the same user reach the owner of a session. */
export class ControlServer {
  readonly path: string;
  readonly #session: string;
  /** For the folder of the session, and for nobody's eyes. */
  readonly key = newKey();
  readonly #server: Server;
  readonly #connections = new Set<Socket>();

  private constructor(session: string, server: Server, path: string) {
    this.#session = session;
    this.#server = server;
    this.path = path;
  }

  /** Only for the owner of the session: what earlier owners of it have left is removed. */
  static async open(session: string, handlerFor: () => ControlHandler): Promise<ControlServer> {
    const folder = runtimeFolder();
    const name = `${session.slice(0, LONGEST_NAME)}.`;
    await removeLeft(folder, name);
    // Only we can enter the folder, so nobody gets at the socket before its own mode is set.
    const path = join(folder, `${name}${randomBytes(3).toString('hex')}`);
    const server = createServer();
    const opened = new ControlServer(session, server, path);
    server.on('connection', (socket) => void opened.#welcome(socket, handlerFor));
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(path, resolve);
      });
      await chmod(path, 0o600);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    // A session that is done does not stay because somebody could still call.
    server.unref();
    return opened;
  }

  async close(): Promise<void> {
    for (const socket of this.#connections) socket.end();
    this.#server.close();
    await rm(this.path, { force: true });
  }

  async #welcome(socket: Socket, handlerFor: () => ControlHandler): Promise<void> {
    this.#connections.add(socket);
    socket.unref();
    socket.on('error', () => socket.destroy());
    const proof = new Proof(dirname(this.path));
    socket.on('close', () => void proof.remove());
    try {
      await proof.lay();
    } catch {
      // The session ended just now, and its folder with it.
      socket.destroy();
      return;
    }
    this.#serve(socket, handlerFor(), proof);
    const hello: Hello = { protocol: PROTOCOL, session: this.#session, proof: proof.path };
    writeLine(socket, hello);
  }

  #serve(socket: Socket, handler: ControlHandler, proof: Proof): void {
    const door = (said: Introduction) => admit(this.#session, said, { key: this.key, proof });
    let isInside = false;
    const out: ControlOutput = {
      reply: (answer) => writeLine(socket, answer),
      hasRoom: () => socket.writableLength < MOST_UNREAD,
    };
    socket.on('drain', () => handler.drained());
    readLines(socket, LONGEST_LINE, (line) => {
      void act(out, async () => {
        const request = readRequest(line);
        if (request.do === 'enter') {
          door(request);
          isInside = true;
          void proof.remove();
          return out.reply({ ok: true });
        }
        if (!isInside) throw new DeniedError('Nobody is heard before they have said who they are.');
        return handler.handle(request, out);
      });
    });
    socket.on('close', () => {
      this.#connections.delete(socket);
      handler.close();
    });
  }
}

async function act(out: ControlOutput, what: () => Promise<void>): Promise<void> {
  try {
    await what();
  } catch (error) {
    const next = error instanceof LoopwrightError ? error.next : undefined;
    out.reply({ problem: errorMessage(error), ...(next === undefined ? {} : { next }) });
  }
}

type Enter = Introduction & { readonly do: 'enter' };

/** Throws in words that the other side can show. */
function readRequest(line: string): ControlRequest | Enter {
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

/** An owner that was killed could not remove its socket. One that still answers belongs to the living. */
async function removeLeft(folder: string, name: string): Promise<void> {
  const names = (await readdir(folder)).filter((each) => each.startsWith(name));
  for (const path of names.map((each) => join(folder, each))) {
    if (isOurSocket(path) && !(await answers(path))) await rm(path, { force: true });
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
