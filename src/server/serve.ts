import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { ArgvOf } from '../api/routes/detached.ts';
import { packageRoot, packageVersion } from '../project/package-root.ts';
import type { Project } from '../project/project.ts';
import { Attempts } from './auth/attempts.ts';
import { Callers } from './auth/callers.ts';
import { type Allowed, objectionTo } from './auth/guard.ts';
import { type Door, whoCalls } from './auth/who.ts';
import { API, makeApp } from './http/app.ts';
import { ALWAYS } from './http/headers.ts';
import type { CommandOf } from './http/problem.ts';
import { Repeats } from './http/repeats.ts';
import { StaticFiles } from './http/static.ts';
import { Turns } from './http/turns.ts';
import { listenHere } from './listen.ts';
import { Hub } from './live/hub.ts';
import { Interest } from './live/interest.ts';
import { makeSockets } from './live/socket.ts';
import { Sources } from './live/sources.ts';
import { eventStream } from './live/stream.ts';
import { starter } from './start.ts';

export interface ServeOptions {
  /** 4400 or the next one that is free when absent; 0: any. */
  readonly port?: number;
  readonly readOnly?: boolean;
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
  /** What a person would type instead; the face that started the server knows. */
  readonly commandOf?: CommandOf;
  /** How it starts what it does not own. */
  readonly argvOf?: ArgvOf;
  /** The folder with the web app; the one that comes with the package when absent. */
  readonly files?: string;
}

export interface Serving {
  readonly port: number;
  /** Of this start. */
  readonly boot: string;
  /** Without a key: whoever opens it is asked for one. */
  readonly address: string;
  /** An address that opens the app once, within two minutes. */
  newUrl(): string;
  /** For scripts: stands for both halves. */
  newBearer(): string;
  close(): Promise<void>;
}

/** git takes a processor each. */
const GIT_READS = 8;

/** Serves a project on this machine until it is closed. It owns no session: closing it ends nothing. */
export async function serve(project: Project, options: ServeOptions = {}): Promise<Serving> {
  const boot = randomBytes(6).toString('hex');
  const callers = new Callers();
  const attempts = new Attempts();
  const hub = new Hub(boot);
  const following = await project.follow();
  const sources = new Sources(project, following, hub);
  const interest = new Interest(hub, (topic) => sources.begin(topic));
  const log = await project.accessLog();
  const allowed: Allowed = {
    hosts: options.allowHosts ?? [],
    origins: options.allowOrigins ?? [],
    scheme: 'http',
  };
  const served = {
    project,
    following,
    hub,
    sources,
    callers,
    commandOf: options.commandOf ?? (() => undefined),
    readOnly: options.readOnly ?? false,
    version: packageVersion(),
    start: starter(project, options.argvOf),
    gitReads: new Turns(GIT_READS),
  };
  const door: { -readonly [Key in keyof Door]: Door[Key] } = { callers, attempts, cookieName: 'lw' };
  const app = makeApp({
    served,
    door,
    allowed,
    files: new StaticFiles(options.files ?? join(packageRoot(), 'dist', 'ui')),
    note: (access) => log.note({ ...access }),
    repeats: new Repeats(),
    cookieAttributes: `HttpOnly; SameSite=Strict; Path=${API}`,
    stream: (asked) => eventStream(hub, interest, asked),
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const { port, servers } = await listenHere(
    (request, response) => void listener(request, response),
    options.port,
  );
  door.cookieName = `lw-${port}-${boot}`;
  const admit = (request: IncomingMessage, proof: string | undefined) => {
    const { authorization, cookie } = request.headers;
    try {
      return whoCalls({ authorization, cookie, proof }, door);
    } catch {
      return undefined;
    }
  };
  const sockets = makeSockets({ hub, interest, admit, project, readOnly: served.readOnly });
  for (const server of servers) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      const path = new URL(request.url ?? '/', 'http://here').pathname;
      const objection = objectionTo({ method: 'GET', headers: request.headers, upgrade: true }, allowed);
      const status = objection === undefined ? (path === `${API}/live` ? 101 : 404) : 403;
      log.note({ method: 'GET', route: '/live', status, caller: null });
      if (status !== 101) return refuse(socket, status);
      return sockets.handleUpgrade(request, socket, head, (ready) =>
        sockets.emit('connection', ready, request),
      );
    });
  }
  const address = `http://127.0.0.1:${port}`;
  return {
    port,
    boot,
    address,
    newUrl: () => `${address}/#${callers.newToken()}`,
    newBearer: () => callers.newBearer(),
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      interest.close();
      sources.close();
      following.close();
      log.close();
    },
  };
}

function refuse(socket: Duplex, status: number): void {
  const headers = Object.entries(ALWAYS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Not Found'}\r\n${headers.join('')}connection: close\r\n\r\n`,
  );
}
