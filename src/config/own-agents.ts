import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCode } from '../kernel/errors.ts';
import { STATE_FOLDER } from './config-file.ts';

/** Where a project keeps its own adapters, one file for each, named as its type. */
export function adaptersFolder(projectDir: string): string {
  return join(projectDir, STATE_FOLDER, 'adapters');
}

/** The agents that a project defines by itself, each with its file. */
export function ownAgents(projectDir: string): readonly (readonly [name: string, file: string])[] {
  const folder = adaptersFolder(projectDir);
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [basename(name, '.json'), join(folder, name)]);
}
