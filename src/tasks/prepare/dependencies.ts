import { createHash } from 'node:crypto';
import { join, posix } from 'node:path';
import { packagesNeeded } from '../../config/detect/package-json.ts';
import { detectWorktrees, foldersToShare } from '../../config/detect-worktrees.ts';
import type { Config } from '../../config/load-config.ts';
import { type ActionInput, action } from '../../kernel/action.ts';
import { UsageError } from '../../kernel/errors.ts';
import { type Baseline, type BaselineResult, redBefore } from '../../verification/baseline.ts';
import { COMMAND_KINDS } from '../../verification/commands/project-commands.ts';
import type { ShareReport } from '../../workspace/setup/share-folder.ts';

interface Where {
  /** The project's folder below the top of the repository. */
  readonly prefix: string;
  /** The top of the checkout. */
  readonly from: string;
}

/** The folders a worktree shares with its checkout: the configured ones, or those that its packages stand in. */
export function sharedFolders(
  { worktrees }: Pick<Config, 'worktrees'>,
  { prefix, from }: Where,
): readonly string[] {
  if (!worktrees.unsaid) return worktrees.share;
  return foldersToShare(join(from, prefix)).map((folder) => posix.join(prefix, folder));
}

/** Tells two ways of making a worktree ready apart, so that a corrected one is taken up. */
export function setupKey(config: Pick<Config, 'worktrees'>, where: Where): string {
  const { copy, setup } = config.worktrees;
  const said = JSON.stringify([copy, sharedFolders(config, where), setup]);
  return createHash('sha256').update(said).digest('hex');
}

/** What a person has to know about shared folders: those nobody asked for, and those that could not be had. */
export function sharingNotes(
  { worktrees }: Pick<Config, 'worktrees'>,
  reports: readonly ShareReport[],
): string[] {
  return reports.flatMap((report) => {
    if (report.how === 'none')
      return report.there ? [] : [`${report.folder} is not shared: ${report.reason}`];
    if (!worktrees.unsaid) return [];
    const how = report.how === 'clone' ? 'copied on write' : 'by hard links';
    return [
      `${report.folder} is shared with the checkout (${how}); "worktrees" in the configuration decides it`,
    ];
  });
}

/** The checks cannot even begin in a fresh worktree: an agent would be paid for what no agent can put right. */
export class NotReadyError extends UsageError {}

/** Throws when a check did not find its program, or a package that the project needs; says which setting is missing. */
export function requireReady(
  config: Config,
  baseline: Baseline,
  { root, again }: { readonly root: string; readonly again?: ActionInput | undefined },
): void {
  for (const check of redBefore(baseline)) {
    // What a task names for itself may be what it is to make.
    if (!OF_THE_PROJECT.has(check.name)) continue;
    const missing = missingIn(check, root);
    if (missing !== undefined) throw notReady(config, check, { root, missing, again });
  }
}

const OF_THE_PROJECT: ReadonlySet<string> = new Set(COMMAND_KINDS);

/** What a shell and those who start programs like one say when there is no program, or it cannot be run. */
const NOT_FOUND: ReadonlySet<number | null> = new Set([126, 127]);
const NO_MODULE = /(?:cannot find (?:module|package)|no module named) ['"]?((?:@[\w.-]+\/)?[\w.-]+)/gi;

function missingIn(
  { command, exitCode, end, output = '', notStarted }: BaselineResult,
  root: string,
): string | undefined {
  const [program = ''] = command;
  // A script of the project that is not there yet may be what is to be made.
  if (notStarted) return program.includes('/') ? undefined : `the program "${program}"`;
  if (NOT_FOUND.has(exitCode)) return `a program (it ${end})`;
  const needed = packagesNeeded(root);
  const named = [...output.matchAll(NO_MODULE)].map(([, name = '']) => name).find((name) => needed.has(name));
  return named === undefined ? undefined : `the package "${named}"`;
}

function notReady(
  config: Config,
  { name, command, log, output = '' }: BaselineResult,
  {
    root,
    missing,
    again,
  }: { readonly root: string; readonly missing: string; readonly again: ActionInput | undefined },
): NotReadyError {
  const said = output.trim().split('\n').at(-1) ?? '';
  const message = [
    `The checks cannot run in a fresh worktree, so nothing was started: ${name} (\`${command.join(' ')}\`) does not find ${missing}.`,
    ...(said === '' ? [] : [`It said: ${said}`]),
    `The whole log: ${log}`,
  ].join('\n');
  const correct = correction(config, root, name);
  return new NotReadyError(message, {
    next: again === undefined ? `${correct}.` : action('run.start', `${correct}, then start it again`, again),
  });
}

function correction({ worktrees }: Config, root: string, check: string): string {
  const found = worktrees.unsaid ? detectWorktrees(root) : undefined;
  if (!found) return `Correct "worktrees.setup" or "commands.${check}" in .loopwright/config.json`;
  const { from: _from, ...said } = found;
  const lines = 'setup' in said ? { setup: said.setup.map((words) => words.join(' ')) } : said;
  return `Add "worktrees": ${JSON.stringify(lines)} to .loopwright/config.json`;
}
