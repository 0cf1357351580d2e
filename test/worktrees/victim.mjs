// A real process that works on worktrees and kills itself with SIGKILL at one chosen point.
// argv: <repository> <operation> <point: "step:nth" | "">
// Operations: create, dirty, remove, gc, reconcile, restore
import { openRepository } from '../../dist/workspace/git/repository.js';
import { GitWorktreeManager } from '../../dist/workspace/worktrees/manager.js';

const [dir, operation, point = ''] = process.argv.slice(2);
const [wanted, nth = '1'] = point.split(':');
const steps = [];

function onStep(step) {
  steps.push(step);
  if (step !== wanted || steps.filter((name) => name === step).length !== Number(nth)) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;); // SIGKILL is not handled, but it may arrive an instant later
}

const worktrees = new GitWorktreeManager(await openRepository(dir), { onStep });
const sessions = [{ id: 'ended', resumable: false }];
const operations = {
  create: () => worktrees.create({ id: 'new' }),
  dirty: () => worktrees.create({ id: 'new', includeDirty: true }),
  remove: () => worktrees.remove('ended', { deleteBranch: true, force: true }),
  gc: () => worktrees.gc({ sessions, force: true }),
  restore: () => worktrees.restore('ended'),
};
await operations[operation]();
process.stdout.write(JSON.stringify(steps));
