import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Environment } from '../terminal.ts';
import { userFolder } from '../user/folder.ts';
import { readOwnFile } from '../user/own-file.ts';
import type { TrustRecord } from './decision.ts';

const shape = z.object({
  path: z.string(),
  digest: z.string(),
  files: z.record(z.string(), z.string()),
  trustedAt: z.string(),
});

/** One file for each project, so that two processes that trust two projects never write the same one. */
function recordFile(env: Environment, path: string): string {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 32);
  return join(userFolder(env), 'trust', `${name}.json`);
}

/** What was trusted of the project at this real path; a record that cannot be read trusts nothing. */
export function readTrust(env: Environment, path: string): TrustRecord | undefined {
  const text = readOwnFile(recordFile(env, path));
  if (text === undefined) return undefined;
  const read = shape.safeParse(parsed(text));
  return read.success ? read.data : undefined;
}

/** Replaces what was trusted of this project; a reader finds the old record or the new one, never half of it. */
export function writeTrust(env: Environment, record: TrustRecord): string {
  const file = recordFile(env, record.path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return file;
}

/** Whether there was something to forget. */
export function removeTrust(env: Environment, path: string): boolean {
  const known = readTrust(env, path) !== undefined;
  rmSync(recordFile(env, path), { force: true });
  return known;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
