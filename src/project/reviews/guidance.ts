import type { Review, ReviewComment } from './review.ts';

/** A review as one text for the next worker: the summary, then each comment with its place and the code it is about. */
export function guidanceOf({ summary, comments }: Pick<Review, 'summary' | 'comments'>): string {
  const told = comments.filter(({ state }) => state !== 'sent').map(commentText);
  return [summary.trim(), ...told].filter((part) => part !== '').join('\n\n');
}

function commentText({ path, side, from, to, quote, text, state }: ReviewComment): string {
  const lines = from === undefined ? '' : to === undefined || to === from ? `:${from}` : `:${from}-${to}`;
  const before = side === 'before' ? ' (as it was before)' : '';
  const outdated = state === 'outdated' ? ' (the lines have changed since)' : '';
  const place = path === undefined ? '' : `${path}${lines}${before}${outdated}\n`;
  const code = quote === undefined ? '' : `${quoted(quote)}\n`;
  return `${place}${code}${text.trim()}`;
}

function quoted(code: string): string {
  return code
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
