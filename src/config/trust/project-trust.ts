import { realpathSync } from 'node:fs';
import type { Environment } from '../terminal.ts';
import { decideTrust, type TrustDecision, type TrustRecord } from './decision.ts';
import { readTrust, removeTrust, writeTrust } from './record.ts';
import { digestOfFiles, type SteeringFile, steeringFiles } from './steering-files.ts';

/** A project as it is now, and whether its person trusts it like this. */
export interface ProjectTrust {
  /** Behind all links. */
  readonly path: string;
  readonly digest: string;
  readonly files: readonly SteeringFile[];
  readonly decision: TrustDecision;
}

/** The word of the person for a machine that nobody sits at. */
const VARIABLE = 'LOOPWRIGHT_TRUST';

export function lookAtTrust(projectDir: string, env: Environment): ProjectTrust {
  const path = realpathSync(projectDir);
  const files = steeringFiles(path);
  const digest = digestOfFiles(files);
  const saidSo = /^(?:1|true|yes)$/i.test(env[VARIABLE]?.trim() ?? '');
  const record = saidSo ? undefined : readTrust(env, path);
  return { path, digest, files, decision: decideTrust(record, { path, digest, files }, { saidSo }) };
}

/** Writes down that the project is trusted exactly as it was looked at; gives the file. */
export function recordTrust({ path, digest, files }: ProjectTrust, env: Environment, now: Date): string {
  const record: TrustRecord = {
    path,
    digest,
    files: Object.fromEntries(files.map((file) => [file.path, file.digest])),
    trustedAt: now.toISOString(),
  };
  return writeTrust(env, record);
}

export function forgetTrust(projectDir: string, env: Environment): boolean {
  return removeTrust(env, realpathSync(projectDir));
}
