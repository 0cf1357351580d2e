import { openRepository } from '../../workspace/git/repository.ts';
import type { KnownSession } from '../../workspace/worktrees/sessions.ts';
import { table } from '../display/table.ts';
import { age, bytes } from '../display/words.ts';
import { type OpenProject, openProject } from '../open-project.ts';
import type { Screen } from '../output.ts';
import { readSession } from '../session-list.ts';
import { managerOf } from '../workspace/session-files.ts';

export interface WorktreesOptions {
  readonly dryRun?: true;
  readonly force?: true;
  readonly dir?: string;
  readonly json?: true;
}

export async function listWorktrees(screen: Screen, options: WorktreesOptions): Promise<number> {
  const opened = openProject(options.dir);
  const manager = managerOf(await openRepository(opened.project.dir), opened);
  const findings = await manager.reconcile(knownSessions(opened));
  const views = await manager.list();
  if (options.json) {
    screen.json({ worktrees: views, findings });
    return 0;
  }
  const { dim, cyan, yellow } = screen.style;
  for (const finding of findings) screen.line(yellow(`! ${finding.message}`));
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
  const manager = managerOf(await openRepository(opened.project.dir), opened);
  const { dryRun = false, force = false } = options;
  const items = await manager.gc({ sessions: knownSessions(opened), dryRun, force });
  if (options.json) {
    screen.json(items);
    return 0;
  }
  const { dim, cyan } = screen.style;
  if (items.length === 0) screen.line('No worktrees.');
  for (const { id, action, reason, commit, checkpoint, bytes: size } of items) {
    const held = checkpoint ?? commit;
    screen.line(
      `${action.padEnd(12)} ${id}  ${bytes(size)}  ${reason}${held === undefined ? '' : dim(`  (kept as ${held})`)}`,
    );
  }
  const next = dryRun ? ['worktrees', 'gc'] : ['sessions'];
  screen.line(`${cyan('next:')} ${opened.project.command(...next)}`);
  return 0;
}

/** What the sessions say about their worktrees; one that cannot be read might still go on. */
function knownSessions({ services }: OpenProject): KnownSession[] {
  return services.sessions.ids().map((id) => {
    const listed = readSession(services.sessions, id);
    if ('problem' in listed) return { id, resumable: true };
    const { status } = listed.snapshot.state;
    return { id, resumable: status !== 'completed' && status !== 'aborted' };
  });
}
