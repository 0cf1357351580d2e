import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { ConflictError } from '../../kernel/errors.ts';
import { isOurSocket, runtimeFolder } from '../../process/runtime-folder.ts';
import type { OpenProject } from '../open.ts';
import { refuseDecidingInside, refuseInside } from '../runs/nested.ts';

/** What somebody who can enter this user's own folder may ask a running server for. */
export type DoorRequest = 'url' | 'bearer';

export interface Door {
  close(): void;
}

const LONGEST_ANSWER = 4096;
const PATIENCE_MS = 5000;

/** Opens the way by which the same user asks a running server for a new key. Refused inside an agent. */
export async function openDoor(
  { project }: OpenProject,
  answer: (request: DoorRequest) => string,
): Promise<Door> {
  refuseInside();
  const path = join(runtimeFolder(), `${nameFor(project.dir)}${randomBytes(3).toString('hex')}`);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (asked) => {
      const request = asked.toString('utf8').trim();
      socket.end(request === 'url' || request === 'bearer' ? answer(request) : '');
    });
  });
  await listening(server, path);
  chmodSync(path, 0o600);
  server.unref();
  return {
    close: () => {
      server.close();
      rmSync(path, { force: true });
    },
  };
}

/** Asks the server that runs for this project; the one that was started last. */
export async function knock({ project }: OpenProject, request: DoorRequest): Promise<string> {
  refuseDecidingInside();
  const folder = runtimeFolder();
  const paths = readdirSync(folder)
    .filter((name) => name.startsWith(nameFor(project.dir)))
    .map((name) => join(folder, name))
    .filter((path) => isOurSocket(path))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of paths) {
    const answer = await ask(path, request);
    if (answer !== undefined && answer !== '') return answer;
  }
  throw new ConflictError(`No dashboard runs for ${project.dir}.`, { next: 'Start one first.' });
}

function nameFor(dir: string): string {
  return `ui-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}.`;
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
}

/** Undefined when nobody is there; what a server left that was killed is removed. */
function ask(path: string, request: DoorRequest): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write(request));
    let answer = '';
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      answer = (answer + chunk.toString('utf8')).slice(0, LONGEST_ANSWER);
    });
    socket.on('error', () => {
      rmSync(path, { force: true });
      resolve(undefined);
    });
    socket.on('close', () => resolve(answer));
  });
}
