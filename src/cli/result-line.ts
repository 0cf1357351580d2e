import type { Cli, ProjectOptions } from './cli.ts';
import { problemJson, reportError } from './errors.ts';

/** A program that reads our events finds a result as the last line, also when there was nothing to run. */
export async function withResultLine(
  cli: Cli,
  { json }: ProjectOptions,
  action: () => Promise<number>,
): Promise<number> {
  try {
    return await action();
  } catch (error) {
    if (!json) throw error;
    cli.json(resultOfError(error, { session: null, status: null }));
    return reportError(cli.screen, error);
  }
}

export function resultOfError(
  error: unknown,
  where: { readonly session: string | null; readonly status: string | null },
): object {
  return { type: 'result', ...where, exitCode: 1, error: problemJson(error) };
}
