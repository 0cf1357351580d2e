import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs that come along and are run as they are; the same from the sources, the compiled files and the bundle. */
export function programsFolder(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const programs = join(folder, 'programs');
    if (existsSync(join(programs, 'scripted-agent', 'player.mjs'))) return programs;
    if (dirname(folder) === folder) return join(start, 'programs');
  }
}
