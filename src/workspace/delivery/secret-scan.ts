import { advise } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { keyIn } from '../../kernel/key-shapes.ts';
import type { Masker } from '../../kernel/mask.ts';
import { count } from '../../kernel/words.ts';
import type { BoundGit } from '../git/bound-git.ts';
import { BARE_DIFF, readDiffLines } from '../git/diff-lines.ts';

/** Where a secret would leave: never what it is. */
export interface FoundSecret {
  /** A file, or what else would carry it. */
  readonly place: string;
  readonly line: number;
  readonly what: string;
}

/** Somebody must look at it before anything leaves; a person can accept it with a reason. */
export class SecretInChangeError extends ConflictError {
  readonly code = 'secret_in_change';
  readonly found: readonly FoundSecret[];

  constructor(found: readonly FoundSecret[], next = advise(HOW)) {
    const places = found.slice(0, MOST_NAMED).map(({ place, line, what }) => `  ${place}:${line} (${what})`);
    const more = found.length - places.length;
    const rest = more > 0 ? `\n  and ${more} more` : '';
    super(
      `secret_in_change: ${count(found.length, 'line')} of the change would carry a secret:\n${places.join('\n')}${rest}`,
      { next },
    );
    this.found = found;
  }
}

const HOW = 'Take it out of the change, or accept it with a reason, which is recorded.';
const MOST_NAMED = 20;
const MOST_FOUND = 200;

/** Secrets in the lines that a tree adds to a commit, and in those that the commits between them added on the way. */
export async function secretsInChange(
  git: BoundGit,
  { from, tree, commit }: { readonly from: string; readonly tree: string; readonly commit?: string },
  masker: Masker,
): Promise<FoundSecret[]> {
  const diffs = [git.run(['diff-tree', '-r', '-p', ...BARE_DIFF, from, tree])];
  // A secret that was committed and taken out again is pushed all the same.
  if (commit !== undefined && commit !== from)
    diffs.push(git.run(['log', '-p', '-m', '--format=', ...BARE_DIFF, `${from}..${commit}`, '--']));
  const texts = await Promise.all(diffs);
  const found = texts.flatMap(({ stdout }) => secretsInDiff(stdout, masker));
  const known = new Map(found.map((each) => [`${each.place}:${each.line}:${each.what}`, each]));
  return [...known.values()].slice(0, MOST_FOUND);
}

/** Secrets in words that would leave, such as a message. */
export function secretsInText(place: string, text: string, masker: Masker): FoundSecret[] {
  return text.split('\n').flatMap((line, at) => {
    const what = whatIsIn(line, masker);
    return what === undefined ? [] : [{ place, line: at + 1, what }];
  });
}

function secretsInDiff(diff: string, masker: Masker): FoundSecret[] {
  return readDiffLines(diff).flatMap(({ path, added }) =>
    added.flatMap(({ line, text }) => {
      const what = whatIsIn(text, masker);
      return what === undefined ? [] : [{ place: path, line, what }];
    }),
  );
}

function whatIsIn(line: string, masker: Masker): string | undefined {
  return masker.contains(line) ? 'a known secret' : keyIn(line);
}
