import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ClientMessage, clientMessage, type ServerMessage, type Topic } from '../../api/routes/live.ts';
import type { Project } from '../../project/project.ts';
import type { Caller } from '../auth/callers.ts';
import { LiveClient } from './client.ts';
import type { Hub } from './hub.ts';
import type { Interest } from './interest.ts';
import { Terminals } from './terminals.ts';

const MOST_SOCKETS = 32;
const MOST_MESSAGE = 64 * 1024;
const FIRST_WORDS_MS = 10_000;
const PING_MS = 20_000;

export interface LiveSockets {
  readonly hub: Hub;
  readonly interest: Interest;
  readonly project: Pick<Project, 'reachOwner'>;
  readonly readOnly: boolean;
  /** Who sends this proof with the cookie of the request; undefined when nobody does. */
  readonly admit: (request: IncomingMessage, proof: string | undefined) => Caller | undefined;
}

/** The sockets of the app: one for each tab. */
export function makeSockets(options: LiveSockets): WebSocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_MESSAGE, perMessageDeflate: false });
  server.on('connection', (socket, request) => {
    if (server.clients.size > MOST_SOCKETS) return socket.close(1013, 'too many');
    serve(socket, request, options);
  });
  const timer = setInterval(() => {
    for (const socket of server.clients) if (socket.readyState === socket.OPEN) socket.ping();
  }, PING_MS);
  timer.unref();
  server.on('close', () => clearInterval(timer));
  return server;
}

function serve(socket: WebSocket, request: IncomingMessage, options: LiveSockets): void {
  const { hub, interest, admit, project, readOnly } = options;
  const say = (message: ServerMessage): void => socket.send(JSON.stringify(message));
  const refuse = (code: string, problem: string): void => {
    say({ problem, code });
    socket.close(1008, code);
  };
  const silent = setTimeout(() => refuse('unauthorised', 'It did not say who it is.'), FIRST_WORDS_MS);
  const terminals = new Terminals(
    project,
    { bytes: (frame) => socket.send(frame), say, unsent: () => socket.bufferedAmount },
    { readOnly },
  );
  let client: LiveClient | undefined;
  let topics: readonly Topic[] = [];
  const watch = (wanted: readonly Topic[], after?: string): void => {
    const before = topics;
    topics = [...new Set(wanted)];
    const covered = interest.add(topics);
    interest.remove(before);
    client?.watch(topics, after === undefined ? undefined : { after, covered });
    terminals.watch(topics);
  };
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : read((data as Buffer).toString('utf8'));
    if (!message) return refuse('invalid', 'This is not a message that the server understands.');
    if (client) {
      if ('watch' in message) watch(message.watch);
      else if ('input' in message) terminals.input(message.input, message.text);
      else terminals.resize(message.resize, message);
      return undefined;
    }
    if (!('watch' in message)) return refuse('invalid', 'The first message says who you are.');
    const { proof, after } = message;
    if (!admit(request, proof)) return refuse('unauthorised', 'Open the address that the server printed.');
    clearTimeout(silent);
    client = new LiveClient(hub, {
      events: (events) => socket.send(`{"events":[${events.map(({ text }) => text).join(',')}]}`),
      say,
      unsent: () => socket.bufferedAmount,
      close: (reason) => socket.close(1013, reason.slice(0, 100)),
    });
    say({ hello: { boot: hub.boot, at: hub.at } });
    return watch(message.watch, after);
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    clearTimeout(silent);
    client?.close();
    terminals.close();
    interest.remove(topics);
  });
}

function read(text: string): ClientMessage | undefined {
  try {
    return clientMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
