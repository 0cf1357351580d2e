import { open, rename } from 'node:fs/promises';
import { z } from 'zod';
import { CorruptSessionError, errorMessage } from '../../kernel/errors.ts';
import { readIfThere } from '../../process/if-there.ts';
import type { Snapshot } from './take-snapshot.ts';

const stamp = z.tuple([z.number(), z.number()]);
const schema = z.object({
  root: z.string(),
  /** Modification time and size by path. */
  files: z.record(z.string(), stamp),
  unread: z.array(z.string()),
});

/** Keeps a snapshot so that it is there whole, even after a power cut, or not at all. */
export async function storeSnapshot(file: string, { root, files, unread }: Snapshot): Promise<void> {
  const stored = Object.fromEntries(
    Array.from(files, ([path, { mtimeMs, size }]) => [path, [mtimeMs, size]]),
  );
  await writeWhole(file, JSON.stringify({ root, files: stored, unread }));
}

/** Undefined when there is none. */
export async function readSnapshot(file: string): Promise<Snapshot | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  try {
    const { root, files, unread } = schema.parse(JSON.parse(text));
    const entries = Object.entries(files).map(
      ([path, [mtimeMs, size]]) => [path, { mtimeMs, size }] as const,
    );
    return { root, files: new Map(entries), unread };
  } catch (error) {
    throw new CorruptSessionError(`${file} cannot be read: ${errorMessage(error)}`, {
      next: 'Without it nobody knows which files the task has changed. Look at them yourself and start the task again.',
      cause: error,
    });
  }
}

export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = await open(`${file}.draft`, 'w', 0o600);
  try {
    await draft.writeFile(text);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.draft`, file);
}
