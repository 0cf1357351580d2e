import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One descriptor for both output streams of a child, and the end where everything arrives. */
export interface MergedOutput {
  /** For the child; close our copy once it has started, or the end never comes. */
  readonly writer: Socket;
  readonly reader: Socket;
}

/** A socket path must fit into 104 bytes on macOS, 108 on Linux. */
const LONGEST_TEMP_ROOT = 80;

/**
 * With two pipes, what a child writes to one can overtake what it wrote to the other before. With one socket
 * the system itself keeps the order of writing. Node has no call that makes a connected pair, hence the
 * server that lives for one connection, in a folder only we can enter.
 */
export async function openMergedOutput(): Promise<MergedOutput> {
  const root = tmpdir().length > LONGEST_TEMP_ROOT ? '/tmp' : tmpdir();
  const folder = await mkdtemp(join(root, 'lw-'));
  const server = createServer({ pauseOnConnect: true });
  try {
    return await connectPair(server, join(folder, 's'));
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
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
