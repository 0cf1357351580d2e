import { join } from 'node:path';
import type { Masker } from '../../kernel/mask.ts';
import type { Environment, StepMarker } from '../../process/child-env.ts';
import { describeEnd } from '../../process/outcome.ts';
import type { RunProcess } from '../../process/request.ts';
import { runProcess } from '../../process/run.ts';
import type { Wall } from '../../process/sandbox/walls.ts';
import { gitDirNamedIn } from '../worktrees/admin-entry.ts';
import { type CopyReport, copyFiles } from './copy-files.ts';
import { type ShareReport, shareFolder } from './share-folder.ts';

export interface SetupCommand {
  readonly argv: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

export interface CommandServices {
  readonly env: Environment;
  readonly masker: Masker;
  /** Gets one file per command, `setup-1.log` and so on. */
  readonly logFolder: string;
  readonly timeoutMs?: number | undefined;
  readonly cancel?: AbortSignal | undefined;
  readonly marker?: StepMarker | undefined;
  readonly onText?: ((text: string) => void) | undefined;
  readonly processes?: RunProcess;
  /** What keeps them from the rest of the machine. */
  readonly wallFor?: (tree: string) => Promise<Wall | undefined>;
}

export interface CommandReport {
  readonly argv: readonly string[];
  readonly ok: boolean;
  /** `ended with exit code 1`. */
  readonly end: string;
  readonly durationMs: number;
  readonly log: string;
}

export interface PrepareWorktree {
  /** The checkout whose files are brought along. */
  readonly from: string;
  readonly worktree: string;
  /** The project's folder below the top of both: its commands run there. */
  readonly prefix?: string;
  readonly copy?: readonly string[];
  readonly share?: readonly string[];
  readonly setup?: readonly SetupCommand[];
}

export interface PreparedWorktree {
  readonly ok: boolean;
  readonly copied: CopyReport;
  readonly shared: readonly ShareReport[];
  readonly commands: readonly CommandReport[];
}

/** Makes a new worktree ready to work in: copied files, shared dependencies, then the setup commands. */
export async function prepareWorktree(
  request: PrepareWorktree,
  services: CommandServices,
): Promise<PreparedWorktree> {
  const { from, worktree: to, prefix = '', copy = [], share = [], setup = [] } = request;
  const gitDir = (await gitDirNamedIn(to)) ?? join(to, '.git');
  const copied = await copyFiles({ from, to, gitDir, patterns: copy });
  const shared: ShareReport[] = [];
  for (const folder of share) shared.push(await shareFolder({ from, to, gitDir, folder }));
  const commands = await runSetup('setup', setup, { worktree: to, prefix }, services);
  return { ok: commands.every(({ ok }) => ok), copied, shared, commands };
}

/** Runs commands one after the other in the project's folder of a worktree until one fails. For `teardown` a failure stops nothing. */
export async function runSetup(
  kind: 'setup' | 'teardown',
  commands: readonly SetupCommand[],
  { worktree, prefix = '' }: { readonly worktree: string; readonly prefix?: string },
  services: CommandServices,
): Promise<CommandReport[]> {
  const { env, logFolder, processes = runProcess, wallFor, ...rest } = services;
  const { masker, timeoutMs, cancel, marker, onText } = rest;
  const reports: CommandReport[] = [];
  for (const [i, command] of commands.entries()) {
    const log = join(logFolder, `${kind}-${i + 1}.log`);
    const outcome = await processes({
      argv: command.argv,
      cwd: join(worktree, prefix),
      wall: await wallFor?.(worktree),
      env: { ...env, ...command.env },
      masker,
      streams: 'merged',
      logFile: log,
      timeoutMs,
      cancel,
      marker,
      onText,
    });
    const ok = outcome.kind === 'exited' && outcome.code === 0;
    const { durationMs } = outcome;
    reports.push({ argv: command.argv, ok, end: describeEnd(outcome), durationMs, log });
    if (!ok && kind === 'setup') break;
  }
  return reports;
}
