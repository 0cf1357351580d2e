import { existsSync } from 'node:fs';
import { commandServices, commandsOf } from '../../tasks/prepare/make-ready.ts';
import { runSetup } from '../../workspace/setup/prepare.ts';
import type { OpenProject } from '../open-project.ts';

/** Runs the teardown commands in a worktree that is about to be removed. What failed is told and stops nothing. */
export async function tearDown(
  opened: OpenProject,
  worktree: { readonly id: string; readonly path: string },
): Promise<string[]> {
  const commands = commandsOf(opened.config, 'teardown');
  if (commands.length === 0 || !existsSync(worktree.path)) return [];
  const reports = await runSetup(
    'teardown',
    commands,
    worktree.path,
    commandServices(opened.config, worktree.id),
  );
  return reports
    .filter(({ ok }) => !ok)
    .map(({ argv, end, log }) => `teardown of ${worktree.id}: \`${argv.join(' ')}\` ${end}; see ${log}`);
}
