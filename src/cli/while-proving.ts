import type { AcceptCompany } from '../project/files/check-candidate.ts';
import type { Cli } from './cli.ts';
import { Stops } from './stops.ts';

/**
 * Runs what may have to check work before it delivers it: it says when that begins, and Ctrl-C ends the checks with
 * nothing delivered. Gives the exit code of an interruption instead of a result.
 */
export async function whileProving<T>(
  { screen }: Cli,
  { json = false }: { readonly json?: boolean },
  deliver: (company: AcceptCompany) => Promise<T>,
): Promise<{ readonly done: T } | { readonly interrupted: number }> {
  const stops = new Stops(screen, { interrupt: () => undefined, lastWord: () => undefined });
  try {
    const onPreparing = (what: string): void => {
      if (!json) screen.line(screen.style.dim(`${what}...`));
    };
    return { done: await deliver({ cancel: stops.signal, onPreparing }) };
  } catch (error) {
    if (stops.exitCode === undefined) throw error;
    screen.error('interrupted: nothing was delivered');
    return { interrupted: stops.exitCode };
  } finally {
    stops.close();
  }
}
