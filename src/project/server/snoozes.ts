import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '../../kernel/json.ts';
import { readPlainIfThere } from '../../process/plain-file.ts';
import type { OpenProject } from '../open.ts';

const HOUR = 3_600_000;

type Snoozes = { readonly [item: string]: number };

/** What a person does not want to see for a while, with until when. */
export async function snoozed({ project }: OpenProject): Promise<Snoozes> {
  const text = readPlainIfThere(fileIn(project.folder));
  if (text === undefined) return {};
  try {
    const read: unknown = JSON.parse(text);
    const entries = Object.entries(isJsonObject(read) ? read : {});
    const now = Date.now();
    return Object.fromEntries(
      entries.flatMap(([item, until]) => (typeof until === 'number' && until > now ? [[item, until]] : [])),
    );
  } catch {
    // It holds nothing that is worth an error: what was put off comes back.
    return {};
  }
}

/** Puts one of the things that wait for a person off for an hour. */
export async function snooze(
  opened: OpenProject,
  item: string,
): Promise<{ readonly item: string; readonly until: number }> {
  const until = Date.now() + HOUR;
  const { folder } = opened.project;
  const file = fileIn(folder);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  const all = { ...(await snoozed(opened)), [item]: until };
  writeFileSync(temporary, `${JSON.stringify(all, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
  return { item, until };
}

function fileIn(folder: string): string {
  return join(folder, 'dashboard', 'snoozed.json');
}
