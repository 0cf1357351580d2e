import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../kernel/errors.ts';
import { readPlain } from '../../process/plain-file.ts';
import { COMMAND_KINDS } from '../../verification/commands/project-commands.ts';
import type { Place } from '../place.ts';

const schema = z.object({
  base: z.string().optional(),
  /** What the base was called when it was chosen; absent where it is a name. */
  baseName: z.string().optional(),
  followsBase: z.boolean(),
  /** The checks to run once on the untouched files; absent in notes of earlier versions: none are. */
  checks: z
    .array(
      z.object({
        kind: z.enum(COMMAND_KINDS),
        memory: z.union([z.string(), z.array(z.string()).readonly()]).optional(),
      }),
    )
    .readonly()
    .optional(),
});
/** What the worktree of a session that waits is to be made from. */
export type Unmade = z.infer<typeof schema>;

/** Noted before the session begins, so that it can be made by whoever continues the session. */
export function noteUnmade({ folder }: Pick<Place, 'folder'>, id: string, unmade: Unmade): void {
  const file = fileOf(folder, id);
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(unmade));
}

/** Undefined for a session whose worktree was made, or that has none. */
export function readUnmade({ folder }: Pick<Place, 'folder'>, id: string): Unmade | undefined {
  try {
    return schema.parse(JSON.parse(readPlain(fileOf(folder, id)).toString('utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The journal knows the files now, or the session is gone. */
export function forgetUnmade({ folder }: Pick<Place, 'folder'>, id: string): void {
  if (existsSync(fileOf(folder, id))) rmSync(fileOf(folder, id), { force: true });
}

/** A process that was killed before its session began left its note behind. */
export function forgetStray({ folder }: Pick<Place, 'folder'>, isWanted: (id: string) => boolean): void {
  const notes = join(folder, 'unmade');
  const names = existsSync(notes) ? readdirSync(notes) : [];
  for (const name of names)
    if (!isWanted(basename(name, '.json'))) rmSync(join(notes, name), { force: true });
}

function fileOf(folder: string, id: string): string {
  return join(folder, 'unmade', `${id}.json`);
}
