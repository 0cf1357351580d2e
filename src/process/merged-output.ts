import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { runtimeFolder } from './runtime-folder.ts';

/** One descriptor for both output streams of a child, and the end where everything arrives. */
export interface MergedOutput {
  /** For the child; close our copy once it has started, or the end never comes. */
  readonly writer: Socket;
  readonly reader: Socket;
}

/**
 * With two pipes, what a child writes to one can overtake what it wrote to the other before. With one socket
 * the system itself keeps the order of writing. Node has no call that makes a connected pair, hence the
 * server that lives for one connection, in the folder that only we can enter.
 */
export async function openMergedOutput(): Promise<MergedOutput> {
  const path = join(runtimeFolder(), `o-${randomBytes(8).toString('hex')}`);
  const server = createServer({ pauseOnConnect: true });
  try {
    return await connectPair(server, path);
  } finally {
    server.close();
    await rm(path, { force: true });
  }
}

function connectPair(server: Server, path: string): Promise<MergedOutput> {
  return new Promise((resolve, reject) => {
    let writer: Socket | undefined;
    let reader: Socket | undefined;
    const settle = () => {
      if (writer && reader && !writer.connecting) resolve({ writer, reader });
    };
    server.once('error', reject);
    server.once('connection', (socket) => {
      reader = socket;
      settle();
    });
    server.listen(path, () => {
      writer = connect(path, settle);
      writer.once('error', reject);
    });
  });
}
