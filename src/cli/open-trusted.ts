import type { Project } from '../project/project.ts';
import { confirm } from './ask.ts';
import type { Cli, ProjectOptions } from './cli.ts';

export const TRUST = ['--trust', 'trust this project as it is now, instead of being asked'] as const;

export interface TrustOptions extends ProjectOptions {
  readonly trust?: true;
}

/**
 * The project of a command that starts its programs. On a terminal the person is asked where they have not said that
 * they trust it; elsewhere, and after a no, the use case itself refuses.
 */
export async function openTrusted(cli: Cli, options: TrustOptions): Promise<Project> {
  const project = await cli.open(options);
  if (options.trust) await project.trust();
  else if (cli.screen.interactive && !options.json) await askForTrust(cli, project);
  return project;
}

/** True when it is trusted now. What the person was shown is what they trust, and nothing that came after. */
export async function askForTrust(cli: Cli, project: Project): Promise<boolean> {
  const seen = await project.trusted();
  if (seen.trusted) return true;
  const { trustPage } = await import('./display/trust-page.ts');
  for (const line of trustPage(seen, cli.screen.style)) cli.screen.line(line);
  if (!(await confirm('Do you trust it?'))) return false;
  await project.trust({ digest: seen.digest });
  return true;
}
