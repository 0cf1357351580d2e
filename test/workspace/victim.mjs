// A real process that does one thing to a repository and kills itself with SIGKILL at one point of it.
// argv: <request as JSON> <point as JSON>
// point: {} | {command: n, when: 'before' | 'after', every?: true}; counted are the git commands that change
// something, with `every` those too that only look
import { holdSession } from '../../dist/workspace/checkpoints/hold.js';
import { TreeCheckpoints } from '../../dist/workspace/checkpoints/tree-checkpoints.js';
import { unholdSession } from '../../dist/workspace/checkpoints/unhold.js';
import { accept } from '../../dist/workspace/delivery/accept.js';
import { discard, keep } from '../../dist/workspace/delivery/put-away.js';
import { runGit } from '../../dist/workspace/git/run-git.js';

const [request, point] = process.argv.slice(2).map((text) => JSON.parse(text));
const { operation, ...options } = request;
const LOOKING = new Set([
  'rev-parse',
  'symbolic-ref',
  'ls-files',
  'ls-tree',
  'diff-tree',
  'diff',
  'log',
  'for-each-ref',
  'merge-base',
  'config',
  'interpret-trailers',
  'worktree',
]);
const commands = [];

async function run(args, gitOptions) {
  const command = args.find((arg) => /^[a-z][a-z-]+$/.test(arg));
  const counts = point.every || !LOOKING.has(command);
  if (counts) commands.push(command);
  const isThePoint = counts && commands.length === point.command;
  if (isThePoint && point.when === 'before') die();
  const outcome = await runGit(args, gitOptions);
  if (isThePoint && point.when === 'after') die();
  return outcome;
}

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // SIGKILL is not handled, but it may arrive an instant later
}

const checkpoints = () => new TreeCheckpoints(options.worktree, options.session, { run });
const operations = {
  save: () => checkpoints().save(options.step),
  restore: () => checkpoints().restore(options.step),
  hold: () => holdSession({ ...options, run }),
  unhold: () => unholdSession({ ...options, run }),
  accept: () => accept({ ...options, run }),
  discard: () => discard({ ...options, run }),
  keep: () => keep({ ...options, run }),
};
const result = await operations[operation]();
process.stdout.write(JSON.stringify({ commands, result }));
