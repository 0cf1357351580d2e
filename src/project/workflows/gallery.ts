import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { LoopwrightError, NotFoundError } from '../../kernel/errors.ts';
import { plainFilesIn } from '../../process/plain-file.ts';
import type { OpenProject } from '../open.ts';
import { packageRoot } from '../package-root.ts';
import { type Simulation, simulate } from '../simulate/simulate.ts';
import { graph } from './validate.ts';

/** A workflow that can be named: one we ship, or one of the project's own. */
export interface WorkflowEntry {
  readonly name: string;
  readonly kind: 'shipped' | 'own';
  /** What `run` uses when none is named. */
  readonly configured: boolean;
  readonly blocks: number;
  readonly workers: readonly string[];
  readonly gates: readonly string[];
  readonly scenarios: readonly string[];
  /** Why it cannot be read. */
  readonly problem?: string;
}

/** Every workflow that can be named, the project's own first. */
export async function workflows(opened: OpenProject): Promise<WorkflowEntry[]> {
  return Promise.all([...ownFiles(opened), ...shippedFiles()].map((found) => entryOf(opened, found)));
}

export interface WorkflowText {
  readonly name: string;
  readonly kind: 'shipped' | 'own';
  readonly text: string;
}

/** One of them as its file has it. */
export async function workflowText(opened: OpenProject, name: string): Promise<WorkflowText> {
  const { kind, file } = locate(opened, name);
  return { name, kind, text: readFileSync(file, 'utf8') };
}

/** Runs one of them with the answers of one of its scenarios. */
export async function simulateScenario(
  opened: OpenProject,
  name: string,
  scenario: string,
): Promise<Simulation> {
  const { file } = locate(opened, name);
  if (!scenariosOf(file).includes(scenario))
    throw new NotFoundError(`The workflow ${name} has no scenario "${scenario}".`);
  return simulate(opened, file, { stubs: join(scenarioFolder(file), `${scenario}.json`) });
}

interface Found {
  readonly name: string;
  readonly kind: 'shipped' | 'own';
  readonly file: string;
}

/** Looked up among those that there are: no name is opened as it is. */
function locate(opened: OpenProject, name: string): Found {
  const found = [...ownFiles(opened), ...shippedFiles()].find((each) => each.name === name);
  if (found) return found;
  throw new NotFoundError(`There is no workflow "${name}".`);
}

function shippedFiles(): Found[] {
  const folder = join(packageRoot(), 'workflows');
  return plainFilesIn(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ name: basename(file, '.json'), kind: 'shipped', file: join(folder, file) }));
}

function ownFiles({ project }: OpenProject): Found[] {
  const single = join(project.folder, 'workflows.json');
  const folder = join(project.folder, 'workflows');
  const files = plainFilesIn(folder).filter((file) => file.endsWith('.json'));
  return [...(existsSync(single) ? [single] : []), ...files.map((file) => join(folder, file))].map(
    (file) => ({
      name: relative(project.dir, file),
      kind: 'own',
      file,
    }),
  );
}

async function entryOf(opened: OpenProject, { name, kind, file }: Found): Promise<WorkflowEntry> {
  const scenarios = scenariosOf(file);
  const about = { name, kind, configured: opened.config.workflow === name, scenarios } as const;
  try {
    const { manifest } = await graph(opened, file);
    const blocks = Object.values(manifest.blocks);
    const workers = [...new Set(blocks.map(({ worker }) => worker))].sort();
    return { ...about, blocks: blocks.length, workers, gates: manifest.gates };
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return { ...about, blocks: 0, workers: [], gates: [], problem: error.message };
  }
}

function scenarioFolder(file: string): string {
  return file.replace(/\.json$/, '.scenarios');
}

function scenariosOf(file: string): string[] {
  return plainFilesIn(scenarioFolder(file))
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'));
}
