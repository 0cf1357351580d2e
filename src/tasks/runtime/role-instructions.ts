import { join } from 'node:path';
import type { Role } from '../../config/runtime/settings.ts';
import { readPlainIfThere } from '../../process/plain-file.ts';

/** The instructions of each role, given before its task; `.loopwright/roles/<role>.md` of the project replaces it. */
const OURS: { readonly [role in Role]: string } = {
  worker:
    'You implement one task of a backlog. Change the code so that the goal is reached, keep to the paths you may change, and leave everything else as it is. Add or correct tests where the goal asks for behaviour that none proves.',
  tester:
    'You work on tests. Write or correct tests for what the goal names; change the code under test only where a test cannot be written without it. Run nothing that waits for a person: no watch mode, no browser window, no end-to-end run unless the goal asks for one.',
  docser:
    'You work on documentation. Change documents and comments only, never behaviour. Read the code before you describe it: what you write must be true now.',
};

export function roleInstructions(projectDir: string, role: Role): string {
  const own = readPlainIfThere(join(projectDir, '.loopwright', 'roles', `${role}.md`));
  return own?.trim() ?? OURS[role];
}
