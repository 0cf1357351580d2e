import type { BoundGit } from '../git/bound-git.ts';

export const SESSION_TRAILER = 'Loopwright-Session';
export const STEP_TRAILER = 'Loopwright-Step';

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
