import { existsSync } from 'node:fs';
import type { Config } from '../../config/load-config.ts';
import { runSetup } from '../../workspace/setup/prepare.ts';
import { commandServices, commandsOf } from './make-ready.ts';

/** Runs the teardown commands in a worktree that is about to be removed. What failed is reported and stops nothing. */
export async function tearDown(
  config: Config,
  worktree: { readonly id: string; readonly path: string },
): Promise<string[]> {
  const commands = commandsOf(config, 'teardown');
  if (commands.length === 0 || !existsSync(worktree.path)) return [];
  const reports = await runSetup('teardown', commands, worktree.path, commandServices(config, worktree.id));
  return reports
    .filter(({ ok }) => !ok)
    .map(({ argv, end, log }) => `teardown of ${worktree.id}: \`${argv.join(' ')}\` ${end}; see ${log}`);
}
