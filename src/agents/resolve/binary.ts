import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Environment } from '../../process/child-env.ts';

export interface FoundBinary {
  readonly path: string;
  /** Behind all links. */
  readonly realPath: string;
  /** Named by a person, installed by the project, or found on the search path. */
  readonly how: 'explicit' | 'project' | 'path';
}

export interface BinaryPlace {
  readonly projectDir: string;
  readonly env: Environment;
  /** A path that a person chose; nothing else is looked for then. */
  readonly explicit?: string;
}

/** Finds a program as a started agent would find it: the project's own tools before those of the machine. */
export function findBinary(command: string, place: BinaryPlace): FoundBinary | undefined {
  const { projectDir, env, explicit } = place;
  if (explicit !== undefined) return program(resolve(projectDir, explicit), 'explicit');
  if (command.includes('/')) return program(resolve(projectDir, command), 'explicit');
  const own = program(join(projectDir, 'node_modules', '.bin', command), 'project');
  if (own) return own;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    const found = program(join(folder, command), 'path');
    if (found) return found;
  }
  return undefined;
}

function program(path: string, how: FoundBinary['how']): FoundBinary | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? { path, realPath: realpathSync(path), how } : undefined;
  } catch {
    // Not there, or not ours to run: either way the search continues.
    return undefined;
  }
}
