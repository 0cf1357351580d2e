import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { needsPackages } from '../../config/detect/package-json.ts';
import { detectInstall } from '../../config/detect-install.ts';
import type { Config } from '../../config/load-config.ts';
import type { ActionInput } from '../../kernel/action.ts';
import { systemClock } from '../../kernel/clock.ts';
import { UsageError } from '../../kernel/errors.ts';
import { createMasker } from '../../kernel/mask.ts';
import { BY_ENGINE } from '../../manifest/origin.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import { environmentFor } from '../../process/environment.ts';
import { ProjectSandbox } from '../../process/sandbox/project-sandbox.ts';
import { type Baseline, type BaselineCheck, redBefore, takeBaseline } from '../../verification/baseline.ts';
import { readSetupCommands } from '../../verification/command-line.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { type CommandServices, prepareWorktree, runSetup } from '../../workspace/setup/prepare.ts';
import { requireReady, sharedFolders, sharingNotes } from './dependencies.ts';

const MINUTE = 60_000;

/** A worktree that was just made. */
export interface FreshTree {
  readonly id: string;
  /** Its top. */
  readonly path: string;
  /** The project's folder below the top; `''` at the top itself. */
  readonly prefix: string;
  /** The checkout whose files are brought along. */
  readonly from: string;
}

/** A worktree of a repository, with what its checkout has to give. */
export function madeFrom(
  repo: Repository,
  { id, path }: { readonly id: string; readonly path: string },
): FreshTree {
  return { id, path, prefix: repo.prefix, from: repo.top ?? repo.dir };
}

export interface MakeReadyOptions {
  /** What is run once on the untouched files, in a folder; nothing when left out. */
  readonly checks?: ((folder: string) => readonly BaselineCheck[]) | undefined;
  /** How long each of them may take; the configuration's own limit when left out. */
  readonly checkTimeoutMs?: number | undefined;
  readonly cancel?: AbortSignal | undefined;
  /** How the same is started again, once it was corrected. */
  readonly again?: ActionInput | undefined;
  /** Done while the checks run: what their result does not decide. It must leave the files alone. */
  readonly meanwhile?: () => Promise<void>;
}

/** Setup of a new worktree, then the checks once on the untouched files. */
export async function makeReady(
  config: Config,
  tree: FreshTree & { readonly baseCommit: string },
  { checks, checkTimeoutMs, cancel, meanwhile, again }: MakeReadyOptions = {},
): Promise<{ readonly baseline: Baseline; readonly notes: readonly string[] }> {
  const offer = await setUp(config, tree, cancel);
  const path = join(tree.path, tree.prefix);
  const place = { id: tree.id, path, commit: tree.baseCommit };
  // Both have ended before anything is undone.
  const [checked, beside] = await Promise.allSettled([
    checkUntouched(config, place, checks?.(path) ?? [], { cancel, checkTimeoutMs }),
    meanwhile?.(),
  ]);
  if (checked.status === 'rejected') throw checked.reason;
  if (beside.status === 'rejected') throw beside.reason;
  const baseline = checked.value;
  if (!cancel?.aborted) requireReady(config, baseline, { root: path, again });
  return { baseline, notes: [...offer, ...redNotes(baseline)] };
}

/** Runs the checks once on files that nobody has worked on. `commit` is empty where there is none to name. */
export function checkUntouched(
  config: Config,
  { id, ...place }: { readonly id: string; readonly path: string; readonly commit: string },
  checks: readonly BaselineCheck[],
  { cancel, checkTimeoutMs }: Pick<MakeReadyOptions, 'cancel' | 'checkTimeoutMs'>,
): Promise<Baseline> {
  const services = { ...commandServices(config, id, 'check'), cancel, clock: systemClock };
  return takeBaseline(place, checks, {
    ...services,
    ...(checkTimeoutMs === undefined ? {} : { timeoutMs: checkTimeoutMs }),
  });
}

/** For a person: what was red before. */
export function redNotes(baseline: Baseline): string[] {
  return redBefore(baseline).map(({ name, end, flaky }) =>
    flaky
      ? `flaky before the work began: ${name} was red, then green on the same files`
      : `red before the work began: ${name} ${end}`,
  );
}

/** Copied files, shared folders and setup commands; gives what could be configured besides. */
export async function setUp(config: Config, tree: FreshTree, cancel?: AbortSignal): Promise<string[]> {
  const { copy } = config.worktrees;
  const share = sharedFolders(config, tree);
  const setup = commandsOf(config, 'setup');
  const { from, path: worktree, prefix } = tree;
  const services = { ...commandServices(config, tree.id, 'setup'), cancel };
  const prepared = await prepareWorktree({ from, worktree, prefix, copy, share, setup }, services);
  const failed = prepared.commands.find(({ ok }) => !ok);
  if (failed) {
    throw new UsageError(`Setting up the worktree failed: \`${failed.argv.join(' ')}\` ${failed.end}.`, {
      next: `Read ${failed.log}, correct "worktrees.setup" in .loopwright/config.json, and run again.`,
    });
  }
  const told = sharingNotes(config, prepared.shared);
  return setup.length === 0 ? [...told, ...installOffer(join(worktree, prefix))] : told;
}

/** Whether making a worktree ready does anything in it. */
export function hasSetup(config: Config, tree: Pick<FreshTree, 'prefix' | 'from'>): boolean {
  const { copy, setup } = config.worktrees;
  return copy.length > 0 || setup.length > 0 || sharedFolders(config, tree).length > 0;
}

function commandServices(config: Config, id: string, kind: 'setup' | 'check'): CommandServices {
  const logFolder = logFolderOf(config.stateDir, id);
  mkdirSync(logFolder, { recursive: true, mode: 0o700 });
  const sandbox = new ProjectSandbox(config.sandbox);
  return {
    env: environmentFor(kind, config.childEnv, config.environment[kind]),
    wallFor: (tree) => sandbox.wallFor({ kind, tree }),
    masker: createMasker(config.secretValues),
    logFolder,
    timeoutMs: config.timeoutMinutes * MINUTE,
  };
}

/** What setup, baseline and teardown of a worktree said: it outlives the worktree. */
export function logFolderOf(stateDir: string, id: string): string {
  return join(stateDir, 'logs', id);
}

/** Setup or teardown as configured; refused before anything is made when it cannot be run. */
function commandsOf(config: Config, kind: 'setup' | 'teardown') {
  const read = readSetupCommands(config.worktrees[kind], `worktrees.${kind}`);
  if (read.ok) return read.commands;
  throw new UsageError(read.problems.join('\n'), { next: 'Correct it in .loopwright/config.json.' });
}

/** What installs the packages that stand in a project's own tree; undefined: it has none there. */
export function installCommand(root: string): readonly string[] | undefined {
  const install = detectInstall(root);
  return install && packageFolder(root, install.command) !== undefined ? install.command : undefined;
}

function installOffer(worktree: string): string[] {
  const install = detectInstall(worktree);
  const folder = install && packageFolder(worktree, install.command);
  if (!folder || existsSync(join(worktree, folder))) return [];
  const command = install.command.join(' ');
  return [
    `dependencies are not installed there; "worktrees": { "setup": ["${command}"] } in the configuration does that`,
  ];
}

/** Where the packages of a project stand in its tree; undefined: it has none, or they stand elsewhere. */
function packageFolder(worktree: string, [manager]: readonly string[]): string | undefined {
  if (needsPackages(worktree)) return 'node_modules';
  return manager === 'uv' || manager === 'poetry' ? '.venv' : undefined;
}

/** Agents learn what was red before they began, so they need not take it for their own doing. */
export function baselinePayload(baseline: Baseline | null): ContextSegment[] {
  if (baseline === null || baseline.checks.length === 0) return [];
  return [{ id: 'baseline', type: 'BASELINE', content: baseline, origin: BY_ENGINE }];
}

/** Runs the teardown commands in a worktree that is about to be removed. What failed is reported and stops nothing. */
export async function tearDown(
  config: Config,
  worktree: { readonly id: string; readonly path: string },
): Promise<string[]> {
  const commands = commandsOf(config, 'teardown');
  if (commands.length === 0 || !existsSync(worktree.path)) return [];
  const reports = await runSetup(
    'teardown',
    commands,
    { worktree: worktree.path, prefix: await prefixIn(config, worktree.path) },
    commandServices(config, worktree.id, 'setup'),
  );
  return reports
    .filter(({ ok }) => !ok)
    .map(({ argv, end, log }) => `teardown of ${worktree.id}: \`${argv.join(' ')}\` ${end}; see ${log}`);
}

/** The project's folder below the top of its repository, where the worktree has it. */
async function prefixIn({ projectDir }: Config, worktree: string): Promise<string> {
  const { code, stdout } = await new BoundGit(projectDir).try(['rev-parse', '--show-prefix']);
  const prefix = code === 0 ? stdout.trim() : '';
  return existsSync(join(worktree, prefix)) ? prefix : '';
}
