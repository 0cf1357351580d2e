import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotFoundError } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { processState } from '../../process/identity.ts';
import { readPlainIfThere } from '../../process/plain-file.ts';
import type { FileSides } from '../../workspace/checkpoints/diff.ts';
import type { FileChange } from '../../workspace/git/tree-diff.ts';
import { masked } from '../masked.ts';
import type { OpenProject } from '../open.ts';

export const EXPERIMENT_PERMISSIONS = ['read', 'edits', 'all'] as const;

/** A call that was run once more with other words, beside its session and without a trace in it. */
export interface Experiment {
  readonly experiment: string;
  readonly session: string;
  readonly call: string;
  /** The step it begins before. */
  readonly step: number;
  readonly block: string;
  readonly at: number;
  readonly prompt: string;
  readonly agent: string;
  readonly model?: string;
  readonly permissions: (typeof EXPERIMENT_PERMISSIONS)[number];
  readonly maxUsd: number;
  /** On a copy of the files before the step, or where those were not kept, on the project itself. */
  readonly on: 'copy' | 'project';
  /** `capped`: it was ended because it had used what it may cost. `died`: its process is gone without a word. */
  readonly status: 'waiting' | 'running' | 'completed' | 'failed' | 'stopped' | 'capped' | 'died';
  readonly owner?: ProcessIdentity;
  /** What the agent printed, beside this file. */
  readonly log?: string;
  readonly answer: string;
  readonly tokens: number;
  readonly usd: number;
  readonly estimated: boolean;
  readonly ms: number;
  readonly code?: number;
  readonly ended?: string;
  readonly error?: { readonly kind: string; readonly message: string };
  readonly denied: readonly { readonly tool: string; readonly reason: string }[];
  readonly files: readonly ExperimentFile[];
  /** All of what it changed, as a patch. */
  readonly diff: string;
}

/** One changed file, whole on both sides. */
export type ExperimentFile = FileChange & FileSides;

const FILE = 'experiment.json';
const ID = /^[0-9A-Z]{26}$/;
/** A process that was started has said so long before. */
const STARTING_MS = 60_000;

export function experimentsFolder({ project }: Pick<OpenProject, 'project'>): string {
  return join(project.folder, 'calls');
}

export function experimentFolder(opened: Pick<OpenProject, 'project'>, id: string): string {
  if (!ID.test(id)) throw unknown(id);
  return join(experimentsFolder(opened), id);
}

/** Written in one step: who reads it meets the one before or this one. */
export function writeExperiment(opened: OpenProject, experiment: Experiment): void {
  const folder = experimentFolder(opened, experiment.experiment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `${FILE}.${randomBytes(4).toString('hex')}.tmp`);
  const text = `${JSON.stringify(masked(opened, experiment), null, 2)}\n`;
  writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, join(folder, FILE));
}

export function readExperiment(opened: Pick<OpenProject, 'project'>, id: string): Experiment {
  const text = readPlainIfThere(join(experimentFolder(opened, id), FILE));
  const experiment = text === undefined ? undefined : parsed(text);
  if (!experiment) throw unknown(id);
  return { ...experiment, status: statusNow(experiment) };
}

export function deleteExperiment(opened: Pick<OpenProject, 'project'>, id: string): void {
  rmSync(experimentFolder(opened, id), { recursive: true, force: true });
}

function statusNow({ status, owner, at }: Experiment): Experiment['status'] {
  if (status === 'running' && owner && processState(owner) === 'gone') return 'died';
  return status === 'waiting' && Date.now() - at > STARTING_MS ? 'died' : status;
}

function parsed(text: string): Experiment | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? (value as unknown as Experiment) : undefined;
  } catch {
    return undefined;
  }
}

function unknown(id: string): NotFoundError {
  return new NotFoundError(`There is no experiment ${id}.`);
}
