import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream } from 'node:fs';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../kernel/errors.ts';
import { type BytePath, fromRoot } from './list-tree.ts';

/** Content hashes by path, each valid for one state of the file. */
export type KnownHashes = Map<BytePath, { readonly state: string; readonly hash: string }>;

export type Entry =
  | { readonly kind: 'file' | 'program' | 'link'; readonly content: string }
  | { readonly kind: 'folder' };

/** Beyond this a file is known by its dates and size: reading it would take minutes, however little of it is on the disk. */
const LARGEST_READ = 2 * 1024 ** 3;
/** Larger files are read in pieces. */
const READ_WHOLE = 1024 * 1024;
/**
 * A file that was changed this shortly before it is read may be changed again without its dates showing it,
 * so its hash is not remembered. Clocks of file systems tick every 1 to 10 ms, coarse ones every 2 s.
 */
const DATE_DOUBT_NS = 2_100_000_000n;

/** What is at a path; undefined for nothing and for special files such as pipes. Fills `fresh` with what may be reused. */
export async function readEntry(
  root: string,
  path: BytePath,
  known: KnownHashes,
  fresh: KnownHashes,
): Promise<Entry | undefined> {
  const absolute = fromRoot(root, path);
  try {
    const now = BigInt(Date.now()) * 1_000_000n;
    const stats = await lstat(absolute, { bigint: true });
    if (stats.isDirectory()) return { kind: 'folder' };
    if (stats.isSymbolicLink()) return { kind: 'link', content: await readlink(absolute, 'latin1') };
    if (!stats.isFile()) return undefined;
    const remembered = known.get(path);
    const state = stateOf(stats);
    const valid = remembered?.state === state;
    const hash = valid ? remembered.hash : await contentHash(absolute, stats.size, state);
    if (valid || isSettled(stats, now)) fresh.set(path, { state, hash });
    return { kind: (stats.mode & 0o111n) === 0n ? 'file' : 'program', content: hash };
  } catch (error) {
    // Git lists what is deleted and not committed yet; and a file can go while we look.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function stateOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
}

function isSettled({ mtimeNs, ctimeNs }: BigIntStats, now: bigint): boolean {
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return now - latest > DATE_DOUBT_NS;
}

async function contentHash(path: Buffer, size: bigint, state: string): Promise<string> {
  if (size > LARGEST_READ) return `unread ${state}`;
  const hash = createHash('sha256');
  if (size <= READ_WHOLE) hash.update(await readFile(path));
  else await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
