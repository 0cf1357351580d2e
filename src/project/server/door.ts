import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { ConflictError, LoopwrightError } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { admit, newKey, Proof } from '../../orchestrator/control/peer.ts';
import { readLines, writeLine } from '../../orchestrator/control/protocol.ts';
import { readPlainIfThere } from '../../process/plain-file.ts';
import { isOurSocket, runtimeFolder } from '../../process/runtime-folder.ts';
import type { OpenProject } from '../open.ts';
import type { Place } from '../place.ts';
import { refuseDecidingInside, refuseInside } from '../runs/nested.ts';
import { askDoor } from './knock.ts';

/** What somebody who can enter this user's own folder may ask a running server for. */
export type DoorRequest = 'url' | 'bearer';

export interface Door {
  close(): void;
}

const LONGEST = 4096;

/**
 * Opens the way by which the same user asks a running server for a new key. Whoever asks shows what stands in the
 * state folder, which no wall lets through, and who they are: nothing that a session has started is answered.
 */
export async function openDoor(
  { project }: OpenProject,
  answer: (request: DoorRequest) => string,
): Promise<Door> {
  refuseInside();
  const suffix = randomBytes(3).toString('hex');
  const folder = runtimeFolder();
  const path = join(folder, `${nameFor(project)}${suffix}`);
  const key = newKey();
  const file = keyFile(project, suffix);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, key, { flag: 'wx', mode: 0o600 });
  const server = createServer((socket) => void welcome(socket, { folder, key, answer }));
  await listening(server, path);
  chmodSync(path, 0o600);
  server.unref();
  return {
    close: () => {
      server.close();
      rmSync(path, { force: true });
      rmSync(keyFile(project, suffix), { force: true });
    },
  };
}

/** Asks the server that runs for this project; the one that was started last. */
export async function knock({ project }: OpenProject, request: DoorRequest): Promise<string> {
  refuseDecidingInside();
  const folder = runtimeFolder();
  const own = nameFor(project);
  const suffixes = readdirSync(folder)
    .filter((name) => name.startsWith(own) && isOurSocket(join(folder, name)))
    .sort((a, b) => statSync(join(folder, b)).mtimeMs - statSync(join(folder, a)).mtimeMs)
    .map((name) => name.slice(own.length));
  for (const suffix of suffixes) {
    const path = join(folder, `${own}${suffix}`);
    const key = readPlainIfThere(keyFile(project, suffix));
    const answer = key === undefined ? undefined : await askDoor(path, { key, request });
    if (answer !== undefined) return answer;
    // A server that was killed could remove neither.
    for (const left of [path, keyFile(project, suffix)]) rmSync(left, { force: true });
  }
  throw new ConflictError(`No dashboard runs for ${project.dir}.`, { next: 'Start one first.' });
}

interface Behind {
  readonly folder: string;
  readonly key: string;
  readonly answer: (request: DoorRequest) => string;
}

async function welcome(socket: Socket, { folder, key, answer }: Behind): Promise<void> {
  socket.on('error', () => socket.destroy());
  const proof = new Proof(folder);
  socket.on('close', () => void proof.remove());
  readLines(socket, LONGEST, (line) => {
    const said = requestIn(line);
    try {
      if (!said) return socket.destroy();
      admit('of the dashboard', said, { key, proof });
      return socket.end(`${JSON.stringify({ answer: answer(said.request) })}\n`);
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
      return socket.end(`${JSON.stringify({ problem: error.message })}\n`);
    }
  });
  await proof.lay();
  writeLine(socket, { proof: proof.path });
}

function requestIn(line: string): { key: string; pid: number; request: DoorRequest } | undefined {
  try {
    const said: unknown = JSON.parse(line);
    if (!isJsonObject(said)) return undefined;
    const { key, pid, request } = said;
    if (typeof key !== 'string' || typeof pid !== 'number') return undefined;
    return request === 'url' || request === 'bearer' ? { key, pid, request } : undefined;
  } catch {
    return undefined;
  }
}

function nameFor({ dir }: Pick<Place, 'dir'>): string {
  return `ui-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}.`;
}

function keyFile({ folder }: Pick<Place, 'folder'>, suffix: string): string {
  return join(folder, 'dashboard', `${suffix}.key`);
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
}
