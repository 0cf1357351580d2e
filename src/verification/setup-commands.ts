import type { SetupCommand } from '../workspace/setup/prepare.ts';
import { tokenize } from './command-line.ts';

export type ReadSetupCommands =
  | { readonly ok: true; readonly commands: readonly SetupCommand[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Setup and teardown as they are configured: a line that is read like a shell reads plain words, or words. */
export function readSetupCommands(
  lines: readonly (string | readonly string[])[],
  place: string,
): ReadSetupCommands {
  const commands: SetupCommand[] = [];
  const problems: string[] = [];
  for (const [i, line] of lines.entries()) {
    const read = typeof line === 'string' ? tokenize(line) : { ok: true as const, argv: line, env: {} };
    if (read.ok) commands.push({ argv: read.argv, env: read.env });
    else problems.push(`${place}[${i}] cannot be run as "${String(line)}": ${read.reason}.`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, commands };
}
