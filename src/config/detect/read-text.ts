import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the project, or undefined when it is not there or not readable: then it proves nothing. */
export function readText(projectDir: string, name: string): string | undefined {
  try {
    return readFileSync(join(projectDir, name), 'utf8');
  } catch {
    return undefined;
  }
}
