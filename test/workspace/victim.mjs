// A real process that does one thing to a repository and kills itself with SIGKILL at one point of it.
// argv: <request as JSON> <point as JSON>
// point: {} | {command: n, when: 'before' | 'after', every?: true} | {pictures: folder, of: folder}; counted are the git
// commands that change something, with `every` those too that only look. With `pictures` it lives on, and copies what a
// kill before the first command and after each of them would leave.
import { cpSync } from 'node:fs';
import { holdSession } from '../../dist/workspace/checkpoints/hold.js';
import { TreeCheckpoints } from '../../dist/workspace/checkpoints/tree-checkpoints.js';
import { unholdSession } from '../../dist/workspace/checkpoints/unhold.js';
import { accept } from '../../dist/workspace/delivery/accept.js';
import { discard, keep } from '../../dist/workspace/delivery/put-away.js';
import { runGit } from '../../dist/workspace/git/run-git.js';
import { onlyLooks } from './looking.mjs';

const [request, point] = process.argv.slice(2).map((text) => JSON.parse(text));
const { operation, ...options } = request;
const commands = [];

async function run(args, gitOptions) {
  if (point.pictures) return (turn = turn.then(() => pictured(args, gitOptions)));
  const counts = point.every || !onlyLooks(args);
  if (counts) commands.push(args);
  const isThePoint = counts && commands.length === point.command;
  if (isThePoint && point.when === 'before') die();
  const outcome = await runGit(args, gitOptions);
  if (isThePoint && point.when === 'after') die();
  return outcome;
}

/** One command at a time: a picture shows what one left, not half of what another does. */
let turn = Promise.resolve();
async function pictured(args, gitOptions) {
  if (onlyLooks(args)) return runGit(args, gitOptions);
  if (commands.length === 0) picture();
  const outcome = await runGit(args, gitOptions);
  commands.push(args);
  picture();
  return outcome;
}

function picture() {
  const name = String(commands.length).padStart(3, '0');
  const how = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
  cpSync(point.of, `${point.pictures}/${name}`, how);
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
