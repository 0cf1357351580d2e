import type { NamedDraft } from '../../../backlog/backlog.ts';
import { readField } from './fields.ts';

const ITEM = /^[-*+]\s+\[([ xX])\]\s+(.+?)\s*$/;

/**
 * The open items of a checklist. What is indented below an item belongs to it: `key: value` lines are fields,
 * everything else is added to its goal, further checklists too. `name` is the file, and part of where a task
 * comes from: an item keeps its identity as long as its title stays.
 */
export function tasksOfMarkdown(text: string, name: string): NamedDraft[] {
  const drafts: NamedDraft[] = [];
  const seen = new Map<string, number>();
  let item: { draft: NamedDraft; readonly details: string[] } | undefined;
  const finish = (): void => {
    if (!item) return;
    const { draft, details } = item;
    const more = details.join('\n').trim();
    const goal = [draft.goal ?? draft.title, ...(more === '' ? [] : [more])].join('\n\n');
    drafts.push({ ...draft, goal });
    item = undefined;
  };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, mark, title = ''] = ITEM.exec(line) ?? [];
    if (mark !== undefined) {
      finish();
      const source = sourceOf(name, title, seen);
      if (mark === ' ') item = { draft: { title, source }, details: [] };
    } else if (/^\s+\S/.test(line)) {
      if (!item) continue;
      const draft = readField(line.trim(), item.draft, `${name}:${index + 1}`);
      if (draft) item.draft = draft;
      else item.details.push(line.replace(/^( {2,4}|\t)/, ''));
    } else if (line.trim() === '') item?.details.push('');
    else finish();
  }
  finish();
  return drafts;
}

/** The second item of the same title is another task. */
function sourceOf(name: string, title: string, seen: Map<string, number>): string {
  const words = title.toLowerCase().replace(/\s+/g, ' ');
  const count = (seen.get(words) ?? 0) + 1;
  seen.set(words, count);
  return `${name}#${words}${count === 1 ? '' : ` (${count})`}`;
}
