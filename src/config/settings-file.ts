import type * as z from 'zod';
import type { Action } from '../kernel/action.ts';
import { UsageError } from '../kernel/errors.ts';
import { findJsonMistake } from '../kernel/json-mistake.ts';

/** What the text of a settings file says, or an error that names every mistake in it and what to do. */
export function parseSettings<T>(
  file: string,
  content: string,
  { shape, next }: { readonly shape: z.ZodType<T>; readonly next: string | Action },
): T {
  const read = shape.safeParse(parseJson(file, content, next));
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `  ${place(issue.path)}${issue.message}`);
  throw new UsageError([`${file} cannot be used:`, ...problems].join('\n'), { next });
}

function parseJson(file: string, content: string, next: string | Action): unknown {
  const json = content.replace(/^\uFEFF/, '');
  const mistake = findJsonMistake(json);
  if (!mistake) return JSON.parse(json);
  const { line, column, reason } = mistake;
  throw new UsageError(`${file}:${line}:${column} is not JSON: ${reason}`, { next });
}

function place(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '' : `${path.map(String).join('.')}: `;
}
