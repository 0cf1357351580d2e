import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { NamedDraft } from '../../../backlog/backlog.ts';
import { loadConfig } from '../../../config/load-config.ts';
import { runtimeSettings } from '../../../config/runtime/settings.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { count } from '../../../kernel/words.ts';
import { type TaskCommandOptions, withBacklog } from '../../../project/backlog/open-backlog.ts';
import { findProject } from '../../../project/place.ts';
import { tasksOfIssues } from '../../../tasks/backlog/import/github.ts';
import { tasksOfJson } from '../../../tasks/backlog/import/json.ts';
import { tasksOfMarkdown } from '../../../tasks/backlog/import/markdown.ts';
import type { Screen } from '../../output.ts';

export interface ImportOptions extends TaskCommandOptions {
  readonly github?: true;
  readonly label?: readonly string[];
}

/** Adds the tasks of a file, or the open issues of the repository on GitHub, that are not in the backlog yet. */
export async function importTasks(
  screen: Screen,
  file: string | undefined,
  options: ImportOptions,
): Promise<number> {
  const drafts = await draftsOf(file, options);
  return withBacklog(options, async ({ backlog, project }) => {
    const { added, known } = await backlog.add(drafts);
    if (options.json) {
      screen.json({ added, known });
      return 0;
    }
    const already = known.length === 0 ? '' : `, ${known.length} known already`;
    screen.line(`${count(added.length, 'task')} added${already}.`);
    screen.line(`${screen.style.cyan('next:')} ${project.command('task', 'list')}`);
    return 0;
  });
}

async function draftsOf(file: string | undefined, options: ImportOptions): Promise<NamedDraft[]> {
  if (options.github) {
    if (file === undefined) return issuesOf(options);
    throw new UsageError(`Both ${file} and --github are given.`, { next: 'Import one after the other.' });
  }
  if (options.label !== undefined)
    throw new UsageError('--label chooses issues, so it needs --github.', { next: 'Add --github.' });
  if (file !== undefined) return read(file);
  throw new UsageError('There is nothing to import from.', {
    next: 'Give a .md or .json file, or --github for the open issues of REPO_URL.',
  });
}

function read(file: string): NamedDraft[] {
  const type = extname(file).toLowerCase();
  const name = basename(file);
  if (type === '.json') return tasksOfJson(readFileSync(file, 'utf8'), name);
  if (type === '.md' || type === '.markdown') return tasksOfMarkdown(readFileSync(file, 'utf8'), name);
  throw new UsageError(`${file} is neither Markdown nor JSON.`, {
    next: 'Give a .md file with a checklist, or a .json file with a list of tasks.',
  });
}

/** The client of GitHub is loaded only when it is asked for. */
async function issuesOf({ dir, label = [] }: ImportOptions): Promise<NamedDraft[]> {
  const config = loadConfig(findProject(dir).dir);
  const { repository } = runtimeSettings(config.runtime, { now: Date.now() });
  if (repository.url.trim() === '') {
    throw new UsageError('REPO_URL is not set, so there is no repository whose issues could be imported.', {
      next: 'Set REPO_URL, or repository.url in .loopwright/config.json, to https://github.com/<owner>/<name>.',
    });
  }
  const [{ openGitHub }, { listIssues }] = await Promise.all([
    import('../../../tasks/github/repository.ts'),
    import('../../../tasks/github/issues.ts'),
  ]);
  const hub = await openGitHub({ config, repository });
  return tasksOfIssues(`${hub.owner}/${hub.name}`, await listIssues(hub, { labels: label }));
}
