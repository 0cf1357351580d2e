import { errorMessage } from '../kernel/errors.ts';
import { nextStep, reportError } from './errors.ts';
import type { Screen } from './output.ts';

/** A program that reads our events finds a result as the last line, also when there was nothing to run. */
export async function withResultLine(
  screen: Screen,
  json: true | undefined,
  action: () => Promise<number>,
): Promise<number> {
  try {
    return await action();
  } catch (error) {
    if (!json) throw error;
    screen.json(resultOfError(error, { session: null, status: null }));
    return reportError(screen, error);
  }
}

export function resultOfError(
  error: unknown,
  where: { readonly session: string | null; readonly status: string | null },
): object {
  return {
    type: 'result',
    ...where,
    exitCode: 1,
    error: { message: errorMessage(error), next: nextStep(error) },
  };
}
