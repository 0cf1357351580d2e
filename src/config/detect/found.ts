import { readFileSync } from 'node:fs';
import { join } from 'node:path';
/** A command that a project says it has, and where it says so. */
export interface Found {
  readonly command: readonly string[];
  readonly from: string;
}

export interface DetectedCommands {
  readonly test?: Found;
  readonly lint?: Found;
  readonly build?: Found;
}

/** A file of the project, or undefined when it is not there or not readable: then it proves nothing. */
export function readText(projectDir: string, name: string): string | undefined {
  try {
    return readFileSync(join(projectDir, name), 'utf8');
  } catch {
    return undefined;
  }
}
