import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { errorCode, UsageError } from '../../kernel/errors.ts';
import { suggest } from '../../kernel/suggest.ts';
import { ManifestNotFoundError, parseManifestText } from '../../manifest/load-error.ts';
import { packageRoot } from '../package-root.ts';
import type { Place } from '../place.ts';

export interface Workflow {
  /** As a person would name it again. */
  readonly name: string;
  readonly file: string;
  readonly document: unknown;
}

const DEFAULT_WORKFLOW = 'test-fix';
const OWN_FILE = 'workflows.json';
/** What a workflow is called that the program holds, and no file. */
const IN_CODE = 'defined in code';

/** The manifest that was given or named, else the project's own, else the one we ship. */
export function readWorkflow(
  project: Place,
  configured: string | undefined,
  named?: string | object,
  cwd: string = process.cwd(),
): Workflow {
  if (typeof named === 'object') return { name: IN_CODE, file: '', document: named };
  if (named !== undefined) return read(locate(named, cwd) ?? notFound(named, cwd), named);
  if (configured !== undefined) {
    return read(locate(configured, project.dir) ?? notFound(configured, project.dir), configured);
  }
  const own = join(project.folder, OWN_FILE);
  if (existsSync(own)) return read(own, relative(project.dir, own));
  return read(shippedFile(DEFAULT_WORKFLOW), DEFAULT_WORKFLOW);
}

function shippedNames(): string[] {
  return readdirSync(join(packageRoot(), 'workflows'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'));
}

function shippedFile(name: string): string {
  return join(packageRoot(), 'workflows', `${name}.json`);
}

/** A file wins over a shipped name, so that a copy which was changed is the one that runs. */
function locate(named: string, from: string): string | undefined {
  const file = resolve(from, named);
  if (existsSync(file) && !statSync(file).isDirectory()) return file;
  return shippedNames().includes(named) ? shippedFile(named) : undefined;
}

function notFound(named: string, from: string): never {
  const shipped = shippedNames();
  const near = suggest(named, shipped);
  const missing = new ManifestNotFoundError(resolve(from, named));
  throw new UsageError(
    `${missing.message}${near === undefined ? '' : ` Did you mean the shipped workflow "${near}"?`}`,
    { next: `Check the path, or name a shipped workflow: ${shipped.join(', ')}.`, cause: missing },
  );
}

function read(file: string, name: string): Workflow {
  try {
    const text = readFileSync(file, 'utf8');
    const shown = relative(process.cwd(), file);
    return { name, file, document: parseManifestText(text, shown.startsWith('..') ? file : shown) };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, {
      next: 'Check that it is a file you may read.',
      cause: error,
    });
  }
}
