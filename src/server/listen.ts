import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode, UsageError } from '../kernel/errors.ts';

const FIRST = 4400;
const TRIES = 100;
/** A page asks again and again; a line that is closed just then would be an error to it. */
const KEEP_ALIVE_MS = 60_000;
const NO_SUCH_FAMILY: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EINVAL',
  'ENETUNREACH',
]);

export interface Listening {
  readonly port: number;
  readonly servers: readonly Server[];
}

/** Listens on this machine alone, under both of its addresses where it has two; on the first port that is free. */
export async function listenHere(listener: RequestListener, wanted?: number): Promise<Listening> {
  const ports = wanted === undefined ? Array.from({ length: TRIES }, (_, index) => FIRST + index) : [wanted];
  for (const port of ports) {
    const four = await tryPort(listener, '127.0.0.1', port);
    if (four === 'taken') continue;
    if (four === 'none') throw new UsageError('This machine has no address of its own (127.0.0.1).');
    const chosen = (four.address() as AddressInfo).port;
    // The name "localhost" may mean either: one that is somebody else's must not be mistaken for ours.
    const six = await tryPort(listener, '::1', chosen);
    if (six !== 'taken') return { port: chosen, servers: six === 'none' ? [four] : [four, six] };
    four.close();
  }
  throw new UsageError(`Port ${ports[0]} is taken${ports.length > 1 ? ', and so are those after it' : ''}.`, {
    next: 'Name another port, or none to have one chosen.',
  });
}

async function tryPort(
  listener: RequestListener,
  host: string,
  port: number,
): Promise<Server | 'taken' | 'none'> {
  const server = createServer(listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host, port, exclusive: true }, resolve);
    });
    return server;
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'EADDRINUSE') return 'taken';
    if (NO_SUCH_FAMILY.has(code)) return 'none';
    throw error;
  }
}
