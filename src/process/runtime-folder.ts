import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { StorageError } from '../kernel/errors.ts';

/** A socket path must fit into 104 bytes on macOS, 108 on Linux; what we put into the folder has up to 34. */
const LONGEST_FOLDER = 70;

const ours = (): number => process.getuid?.() ?? 0;

/**
 * Where sockets are, for as long as their process lives: in the folder that the system gives each user, else in one of
 * our own that nobody else can enter. Everybody can write to a temporary folder, so a name there is nobody's until its
 * owner and its mode were looked at.
 */
export function runtimeFolder(): string {
  // Read here as the system's own `tmpdir` reads TMPDIR: sockets are opened below the configuration.
  const session = process.env['XDG_RUNTIME_DIR'] ?? '';
  const places = [...(isAbsolute(session) ? [join(session, 'loopwright')] : []), ...perUserPlaces()];
  for (const place of places.filter((path) => path.length <= LONGEST_FOLDER)) {
    if (isMadeOurs(place)) return place;
  }
  throw new StorageError(
    `None of ${places.join(', ')} is, or can be made, a folder for you alone with a short path.`,
    {
      next: 'Set XDG_RUNTIME_DIR to a folder of your own whose path is short.',
    },
  );
}

/**
 * The same for what processes of one user must agree on: it depends on no variable that one login has and another does
 * not. Nothing is made yet.
 */
export function perUserFolder(): string {
  const places = perUserPlaces();
  return places.find((place) => isOursOrFree(place)) ?? places[0] ?? tmpdir();
}

/** Makes a folder for us alone; one that somebody else made there is refused. */
export function makeOurs(folder: string): void {
  if (isMadeOurs(folder)) return;
  throw new StorageError(`${folder} is not a folder of yours that nobody else can write.`, {
    next: `Look at who made it (ls -ld '${folder}'), and have it removed.`,
  });
}

/** Whether a socket is one that a process of ours opened for us: by its owner and by the folder it is in. */
export function isOurSocket(path: string): boolean {
  const folder = dirname(path);
  const isNamedSo = /^loopwright(?:-\d+)?$/.test(basename(folder)) || folder.endsWith('/loopwright/run');
  const [around, socket] = [folder, path].map((each) => lstatSync(each, { throwIfNoEntry: false }));
  return isNamedSo && isOurs(around) && socket !== undefined && socket.isSocket() && socket.uid === ours();
}

function perUserPlaces(): string[] {
  const name = `loopwright-${ours()}`;
  return [
    ...new Set([join(tmpdir(), name), join('/tmp', name), join(homedir(), '.cache', 'loopwright', 'run')]),
  ];
}

function isOursOrFree(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats === undefined || (stats.isDirectory() && stats.uid === ours());
}

function isMadeOurs(folder: string): boolean {
  try {
    // Only the last part is made: the folder around it is the system's or the person's.
    mkdirSync(folder, { recursive: folder.endsWith('/.cache/loopwright/run'), mode: 0o700 });
  } catch {
    // It is there, or it cannot be: which of the two, and whose it is, is looked at now.
  }
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true && stats.uid === ours() && !isOurs(stats)) chmodSync(folder, 0o700);
  return isOurs(lstatSync(folder, { throwIfNoEntry: false }));
}

function isOurs(stats: Stats | undefined): boolean {
  return stats?.isDirectory() === true && stats.uid === ours() && (stats.mode & 0o077) === 0;
}
