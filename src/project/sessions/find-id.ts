import { action } from '../../kernel/action.ts';
import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-ids.ts';
import { suggest } from '../../kernel/suggest.ts';

/** What the folder of a session can be called. */
const SESSION_NAME = /^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/;
const SHORTEST = 4;
const LISTED = 10;

/**
 * The one id that was meant; an error that lists the candidates otherwise. There is no default. `kinds` is what else it
 * could have been: somebody has looked there before.
 */
export function matchSession(
  written: string | undefined,
  ids: readonly string[],
  describe: (id: string) => string,
  kinds = 'session',
): string {
  if (written === undefined) throw missing(ids, describe);
  const wanted = written.toUpperCase();
  const exact = ids.find((id) => id === written) ?? ids.find((id) => id.toUpperCase() === wanted);
  if (exact !== undefined) return exact;
  if (!SESSION_NAME.test(written)) {
    throw new UsageError(`"${printable(written)}" is not a session id.`, {
      next: action('session.list', 'An id has letters and digits only. List the sessions'),
    });
  }
  if (written.length < SHORTEST) {
    throw new UsageError(`"${written}" is too short for a session id.`, {
      next: action(
        'session.list',
        `Give at least ${SHORTEST} characters from its beginning or its end. List the sessions`,
      ),
    });
  }
  const fitting = ids.filter(
    (id) => id.toUpperCase().startsWith(wanted) || id.toUpperCase().endsWith(wanted),
  );
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (fitting.length > 1) {
    throw new UsageError(`"${written}" fits ${fitting.length} sessions:\n${list(fitting, describe)}`, {
      next: 'Give more characters of the one you mean.',
    });
  }
  throw unknown(written, ids, kinds);
}

function missing(ids: readonly string[], describe: (id: string) => string): UsageError {
  if (ids.length === 0) {
    return new NotFoundError('There is no session in this project yet.', {
      next: action('run.start', 'Start one, or look in another project'),
    });
  }
  return new UsageError(`Which session? There ${ids.length === 1 ? 'is' : 'are'}:\n${list(ids, describe)}`, {
    next: 'Give its id; the last four characters are enough when only one fits.',
  });
}

function unknown(written: string, ids: readonly string[], kinds: string): UsageError {
  const wanted = written.toUpperCase();
  const size = written.length;
  const ends = ids.flatMap((id) => [id, id.slice(-size), id.slice(0, size)]);
  const near = suggest(wanted, ends);
  const meant = near === undefined ? undefined : ids.find((id) => id.includes(near));
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return new NotFoundError(`There is no ${kinds} "${written}" in this project.${hint}`, {
    next: action('session.list', 'List the sessions, or look in another project'),
  });
}

/** The newest first: that is the one people mean most often. */
function list(ids: readonly string[], describe: (id: string) => string): string {
  const shown = ids.toReversed().slice(0, LISTED);
  const more = ids.length - shown.length;
  const lines = shown.map((id) => `  ${shortId(id, ids)}  ${describe(id)}`);
  return [...lines, ...(more > 0 ? [`  and ${more} older`] : [])].join('\n');
}

function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?').slice(0, 80);
}
