import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { detectCommands } from '../../config/detect.ts';
import { detectInstall } from '../../config/detect-install.ts';
import { systemClock } from '../../kernel/clock.ts';
import { UsageError } from '../../kernel/errors.ts';
import { createMasker } from '../../kernel/mask.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import { type Baseline, type BaselineCheck, redBefore, takeBaseline } from '../../verification/baseline.ts';
import { tokenize } from '../../verification/command-line.ts';
import { readSetupCommands } from '../../verification/setup-commands.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { type CommandServices, prepareWorktree } from '../../workspace/setup/prepare.ts';
import type { CreatedWorktree } from '../../workspace/worktrees/create.ts';
import type { OpenProject } from '../open-project.ts';

const MINUTE = 60_000;

/** Setup of a new worktree, then the checks once on the untouched files. */
export async function makeReady(
  opened: OpenProject,
  repo: Repository,
  created: CreatedWorktree,
  cancel?: AbortSignal,
): Promise<{ payload: readonly ContextSegment[]; notes: readonly string[] }> {
  const offer = await setUp(opened, repo, created, cancel);
  const worktree = { path: join(created.path, repo.prefix), commit: created.baseCommit };
  const services = { ...commandServices(opened, created.id), cancel, clock: systemClock };
  const baseline = await takeBaseline(worktree, checksOf(opened), services);
  const red = redBefore(baseline).map(({ name, end }) => `red before the work began: ${name} ${end}`);
  return { payload: payloadOf(baseline), notes: [...offer, ...red] };
}

/** Copied files, shared folders and setup commands; gives what could be configured besides. */
export async function setUp(
  opened: OpenProject,
  repo: Repository,
  { id, path }: { readonly id: string; readonly path: string },
  cancel?: AbortSignal,
): Promise<string[]> {
  const { copy, share } = opened.config.worktrees;
  const setup = commandsOf(opened, 'setup');
  const from = repo.top ?? repo.dir;
  const services = { ...commandServices(opened, id), cancel };
  const prepared = await prepareWorktree({ from, worktree: path, copy, share, setup }, services);
  const failed = prepared.commands.find(({ ok }) => !ok);
  if (failed) {
    throw new UsageError(`Setting up the worktree failed: \`${failed.argv.join(' ')}\` ${failed.end}.`, {
      next: `Read ${failed.log}, correct "worktrees.setup" in .loopwright/config.json, and run again.`,
    });
  }
  return setup.length === 0 ? installOffer(join(path, repo.prefix)) : [];
}

export function commandServices({ config, project }: OpenProject, id: string): CommandServices {
  const logFolder = logFolderOf(project, id);
  mkdirSync(logFolder, { recursive: true, mode: 0o700 });
  return {
    env: config.childEnv,
    masker: createMasker(config.secretValues),
    logFolder,
    timeoutMs: config.timeoutMinutes * MINUTE,
  };
}

/** What setup, baseline and teardown of a worktree said: it outlives the worktree. */
export function logFolderOf({ folder }: OpenProject['project'], id: string): string {
  return join(folder, 'logs', id);
}

/** Setup or teardown as configured; refused before anything is made when it cannot be run. */
export function commandsOf({ config }: OpenProject, kind: 'setup' | 'teardown') {
  const read = readSetupCommands(config.worktrees[kind], `worktrees.${kind}`);
  if (read.ok) return read.commands;
  throw new UsageError(read.problems.join('\n'), { next: 'Correct it in .loopwright/config.json.' });
}

function checksOf({ config, project }: OpenProject): BaselineCheck[] {
  const found = detectCommands(project.dir);
  return (['test', 'lint', 'build'] as const).flatMap((name) => {
    const command = config.commands[name] ?? found[name]?.command;
    if (command === undefined) return [];
    if (typeof command !== 'string') return [{ name, argv: command }];
    const read = tokenize(command);
    return read.ok ? [{ name, argv: read.argv, env: read.env }] : [];
  });
}

function installOffer(worktree: string): string[] {
  const install = detectInstall(worktree);
  if (!install || existsSync(join(worktree, 'node_modules'))) return [];
  const command = install.command.join(' ');
  return [
    `dependencies are not installed there; "worktrees": { "setup": ["${command}"] } in the configuration does that`,
  ];
}

/** Agents learn what was red before they began, so they need not take it for their own doing. */
function payloadOf(baseline: Baseline): ContextSegment[] {
  return baseline.checks.length === 0 ? [] : [{ id: 'baseline', type: 'BASELINE', content: baseline }];
}
