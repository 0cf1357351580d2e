import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isAllowedHost, portOf } from './host-list.ts';

/**
 * The only way out of a sandbox with a list of hosts: an HTTP proxy on a socket that is put into the sandbox. It runs
 * on our side of the wall, so what it refuses cannot be reached. Each host that was refused is told once.
 */
export class HostProxy {
  readonly #allowed: readonly string[];
  readonly #refused: (host: string) => void;
  readonly #told = new Set<string>();
  readonly #open = new Set<Duplex>();
  readonly #server: Server;

  constructor(allowed: readonly string[], refused: (host: string) => void = () => undefined) {
    this.#allowed = allowed;
    this.#refused = refused;
    this.#server = createServer((incoming, answer) => this.#forward(incoming, answer));
    this.#server.on('connect', (incoming, socket: Duplex, head: Buffer) =>
      this.#tunnel(incoming, socket, head),
    );
    this.#server.on('connection', (socket: Socket) => this.#track(socket));
    this.#server.on('clientError', (_, socket) => socket.destroy());
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => resolve());
    });
  }

  close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = URL.parse(`https://${incoming.url ?? ''}`);
    if (!url || !this.#allows(url)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const out = this.#track(connect(portOf(url), bare(url.hostname)));
    out.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      out.write(head);
      socket.pipe(out).pipe(socket);
    });
    out.once('error', () => socket.destroy());
    socket.once('error', () => out.destroy());
    socket.once('close', () => out.destroy());
  }

  #forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const url = URL.parse(incoming.url ?? '');
    if (url?.protocol !== 'http:' || !this.#allows(url)) {
      answer.writeHead(403, { 'content-type': 'text/plain' });
      answer.end(`loopwright: ${url?.host ?? 'this address'} is not among the hosts that may be reached.\n`);
      return;
    }
    const { method, headers } = incoming;
    const out = request(url, { ...(method === undefined ? {} : { method }), headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    out.once('error', () => answer.destroy());
    answer.once('close', () => out.destroy());
    incoming.pipe(out);
  }

  #allows(url: URL): boolean {
    if (isAllowedHost(this.#allowed, url.hostname, portOf(url))) return true;
    if (!this.#told.has(url.hostname)) this.#refused(url.hostname);
    this.#told.add(url.hostname);
    return false;
  }

  #track<S extends Duplex>(socket: S): S {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  }
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
