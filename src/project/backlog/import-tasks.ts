import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { NamedDraft } from '../../backlog/backlog.ts';
import { runtimeSettings } from '../../config/runtime/settings.ts';
import { errorCode, errorMessage, NotFoundError, UsageError } from '../../kernel/errors.ts';
import { tasksOfIssues } from '../../tasks/backlog/import/github.ts';
import { tasksOfJson } from '../../tasks/backlog/import/json.ts';
import { tasksOfMarkdown } from '../../tasks/backlog/import/markdown.ts';
import type { OpenProject } from '../open.ts';
import { addTasks } from './tasks.ts';

export type ImportSource =
  /** A Markdown checklist or a JSON list. */
  | { readonly file: string }
  /** The same, as somebody has it at hand. */
  | { readonly text: string; readonly format: 'markdown' | 'json' }
  /** The open issues of the configured repository that have all of these labels. */
  | { readonly issues: IssueFilter };

interface IssueFilter {
  readonly labels?: readonly string[];
}

/** Adds the tasks of a file, or the open issues of the repository on GitHub, that are not in the backlog yet. */
export async function importTasks(opened: OpenProject, source: ImportSource) {
  const drafts = await draftsOf(opened, source);
  return addTasks(opened, drafts);
}

interface AnySource {
  readonly file?: string;
  readonly text?: string;
  readonly format?: string;
  readonly issues?: IssueFilter;
}

async function draftsOf(opened: OpenProject, source: AnySource) {
  if (source.file !== undefined) return read(source.file);
  if (source.text !== undefined)
    return (source.format === 'json' ? tasksOfJson : tasksOfMarkdown)(source.text, 'a text');
  if (source.issues !== undefined) return issuesOf(opened, source.issues.labels ?? []);
  throw new UsageError('There is nothing to import from.', {
    next: 'Name a Markdown or JSON file, or ask for the open issues of the repository.',
  });
}

function read(file: string): NamedDraft[] {
  const type = extname(file).toLowerCase();
  const readers = { '.json': tasksOfJson, '.md': tasksOfMarkdown, '.markdown': tasksOfMarkdown };
  const tasksOf = readers[type as keyof typeof readers];
  if (tasksOf === undefined) {
    throw new UsageError(`${file} is neither Markdown nor JSON.`, {
      next: 'Give a .md file with a checklist, or a .json file with a list of tasks.',
    });
  }
  return tasksOf(textOf(file), basename(file));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const message = `${file} cannot be read: ${errorMessage(error)}`;
    const next = 'Check that it is a file you may read.';
    if (errorCode(error) === 'ENOENT') throw new NotFoundError(message, { next, cause: error });
    throw new UsageError(message, { next, cause: error });
  }
}

/** The client of GitHub is loaded only when it is asked for. */
async function issuesOf({ config }: OpenProject, labels: readonly string[]): Promise<NamedDraft[]> {
  const { repository } = runtimeSettings(config.runtime, { now: Date.now() });
  if (repository.url.trim() === '') {
    throw new UsageError('REPO_URL is not set, so there is no repository whose issues could be imported.', {
      next: 'Set REPO_URL, or repository.url in .loopwright/config.json, to https://github.com/<owner>/<name>.',
    });
  }
  const [{ openGitHub }, { listIssues }] = await Promise.all([
    import('../../tasks/github/repository.ts'),
    import('../../tasks/github/issues.ts'),
  ]);
  const hub = await openGitHub({ config, repository });
  return tasksOfIssues(`${hub.owner}/${hub.name}`, await listIssues(hub, { labels }));
}
