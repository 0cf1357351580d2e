import { age, bytes } from '../../kernel/words.ts';
import { knownSessions } from '../../project/files/known-sessions.ts';
import { managerOf } from '../../project/files/session-workspace.ts';
import { openProject } from '../../project/open.ts';
import { tearDown } from '../../tasks/prepare/teardown.ts';
import { openRepository } from '../../workspace/git/repository.ts';
import type { GcItem } from '../../workspace/worktrees/gc.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';

export interface WorktreesOptions {
  readonly dryRun?: true;
  readonly force?: true;
  readonly dir?: string;
  readonly json?: true;
}

export async function listWorktrees(screen: Screen, options: WorktreesOptions): Promise<number> {
  const opened = openProject(options.dir);
  const repo = await openRepository(opened.project.dir);
  const manager = managerOf(repo, opened);
  const findings = await manager.reconcile(await knownSessions(opened, repo));
  const views = await manager.list();
  if (options.json) {
    screen.json({ worktrees: views, findings });
    return 0;
  }
  const { dim, cyan, yellow } = screen.style;
  for (const { message, next } of findings) {
    screen.line(yellow(`! ${message}`));
    if (next !== undefined) screen.line(dim(`  ${next}`));
  }
  if (views.length === 0) screen.line('No worktrees.');
  const rows = views.map((view) => [
    view.id,
    view.health,
    age(view.ageMs),
    bytes(view.bytes),
    `${view.uncommitted} uncommitted, ${view.unmerged} unmerged`,
    view.branch,
  ]);
  if (rows.length > 0) {
    for (const line of table(['session', 'state', 'age', 'size', 'work', 'branch'], rows, dim))
      screen.line(line);
  }
  screen.line(`${cyan('next:')} ${opened.project.command('worktrees', 'gc', '--dry-run')}`);
  return 0;
}

export async function gcWorktrees(screen: Screen, options: WorktreesOptions): Promise<number> {
  const opened = openProject(options.dir);
  const repo = await openRepository(opened.project.dir);
  const manager = managerOf(repo, opened);
  const { dryRun = false, force = false } = options;
  const sessions = await knownSessions(opened, repo);
  const problems: string[] = [];
  let items = await manager.gc({ sessions, dryRun: true, force });
  if (!dryRun) {
    for (const item of items)
      if (item.action === 'would-remove') problems.push(...(await tearDown(opened.config, item)));
    items = await manager.gc({ sessions, force });
  }
  if (options.json) {
    screen.json({ worktrees: items, problems });
    return 0;
  }
  const { cyan, yellow } = screen.style;
  if (items.length === 0) screen.line('No worktrees.');
  for (const item of items) printItem(screen, item);
  for (const problem of problems) screen.line(yellow(`! ${problem}`));
  const left = items.some(({ action }) => action === 'would-remove');
  const next = left ? ['worktrees', 'gc', ...(force ? ['--force'] : [])] : ['sessions'];
  screen.line(`${cyan('next:')} ${opened.project.command(...next)}`);
  return 0;
}

function printItem(screen: Screen, { id, action, reason, commit, checkpoint, bytes: size }: GcItem): void {
  const held = checkpoint ?? commit;
  const where = held === undefined ? '' : screen.style.dim(`  (kept as ${held})`);
  screen.line(`${action.padEnd(12)} ${id}  ${bytes(size)}  ${reason}${where}`);
}
