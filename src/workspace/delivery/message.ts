import type { BoundGit } from '../git/bound-git.ts';

export const SESSION_TRAILER = 'Loopwright-Session';
export const TASK_TRAILER = 'Loopwright-Task';
export const RUN_TRAILER = 'Loopwright-Run';
export const STEP_TRAILER = 'Loopwright-Step';

/** A line that git would take for a trailer, or for the note of a cherry-pick. */
const TRAILER = /^(?=[A-Za-z0-9-]+[ \t]*:|\(cherry picked from )/gm;
const SKIPS = /\[\s*((?:skip|no)[ -](?:ci|actions|cd)|(?:ci|actions|cd)[ -]skip)\s*\]/gi;
const CLOSES = /\b(close[sd]?|fix(?:es|ed)?|resolve[sd]?)\s*:?\s+(?=(?:[\w.-]+\/[\w.-]+)?#\d|https?:)/gi;

/** The words of a title as the first line of a message: none of them switches checks off or closes an issue. */
export function asSubject(title: string): string {
  return withoutOrders(title).replaceAll(/\s+/g, ' ').trim();
}

/** The words of a goal inside a message or a pull request: besides, no line of them becomes a trailer. */
export function asMaterial(text: string): string {
  return withoutOrders(text).replaceAll(TRAILER, '> ').trim();
}

/** What a forge obeys wherever it stands stays readable, and is not obeyed. */
function withoutOrders(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(SKIPS, '($1)')
    .replaceAll(CLOSES, '$1 issue ');
}

/** The message with our trailers where git looks for trailers; one that is there already is left. */
export async function withTrailers(
  git: BoundGit,
  message: string,
  trailers: { readonly [name: string]: string | number | undefined },
): Promise<string> {
  const wanted = Object.entries(trailers).flatMap(([name, value]) =>
    value === undefined ? [] : ['--trailer', `${name}: ${value}`],
  );
  const args = ['interpret-trailers', '--no-divider', '--if-exists', 'addIfDifferent', ...wanted];
  const { stdout } = await git.run(args, { input: `${message.trim()}\n` });
  return stdout;
}
