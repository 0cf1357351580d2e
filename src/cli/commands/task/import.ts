import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { UsageError } from '../../../kernel/errors.ts';
import type { NamedDraft } from '../../../tasks/backlog/add.ts';
import { tasksOfJson } from '../../../tasks/backlog/import/json.ts';
import { tasksOfMarkdown } from '../../../tasks/backlog/import/markdown.ts';
import { count } from '../../display/words.ts';
import type { Screen } from '../../output.ts';
import { type TaskCommandOptions, withBacklog } from './open-backlog.ts';

/** Adds the tasks of a file that are not in the backlog yet. */
export async function importTasks(
  screen: Screen,
  file: string,
  options: TaskCommandOptions,
): Promise<number> {
  const drafts = read(file);
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

function read(file: string): NamedDraft[] {
  const type = extname(file).toLowerCase();
  const name = basename(file);
  if (type === '.json') return tasksOfJson(readFileSync(file, 'utf8'), name);
  if (type === '.md' || type === '.markdown') return tasksOfMarkdown(readFileSync(file, 'utf8'), name);
  throw new UsageError(`${file} is neither Markdown nor JSON.`, {
    next: 'Give a .md file with a checklist, or a .json file with a list of tasks.',
  });
}
