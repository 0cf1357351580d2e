import picomatch from 'picomatch';
import { UsageError } from '../kernel/errors.ts';
import { checkRelativePath } from '../kernel/path-rules.ts';

/** One entry of a change plan: a file, a folder (`src/api/` or `src/api`) or a glob (`src/api/**`). */
export interface PlanPattern {
  readonly pattern: string;
  /** What every path it can mean begins with. */
  readonly prefix: string;
  /** A glob or a folder; a plain path means itself and, should it be a folder, everything below it. */
  readonly wide: boolean;
}

const MAGIC = /[*?[\]{}()!+@]/;

export function readPattern(text: string): PlanPattern {
  const reason = patternProblem(text);
  if (reason !== undefined) {
    throw new UsageError(`"${text}" cannot be part of a change plan: ${reason}.`, {
      next: 'Name files, folders or globs below the project folder.',
    });
  }
  const { pattern, magic, literal } = partsOf(text);
  return { pattern, prefix: literal, wide: magic >= 0 || pattern.endsWith('/') };
}

/** Why a text is no entry of a change plan, as half a sentence. */
export function patternProblem(text: string): string | undefined {
  const { pattern, magic, literal } = partsOf(text);
  // Behind a wildcard too: it would lead out of the folder that stands before it.
  if (pattern.split('/').includes('..')) return 'leads upwards with ".."';
  const plain = literal.replace(/\/+$/, '');
  return plain === '' && magic >= 0 ? undefined : checkRelativePath(plain);
}

function partsOf(text: string): {
  readonly pattern: string;
  readonly magic: number;
  readonly literal: string;
} {
  const pattern = text.trim().replace(/^(\.\/)+/, '');
  const magic = pattern.search(MAGIC);
  return { pattern, magic, literal: magic < 0 ? pattern : pattern.slice(0, magic) };
}

/**
 * Whether two entries could mean the same file. A plain path is matched exactly against a glob; two globs clash
 * when the literal beginning of one could begin a path of the other.
 */
export function clash(a: PlanPattern, b: PlanPattern): boolean {
  if (a.wide && b.wide) return a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);
  if (a.wide) return meets(a, b);
  if (b.wide) return meets(b, a);
  return a.prefix === b.prefix || isBelow(a.prefix, b.prefix) || isBelow(b.prefix, a.prefix);
}

function meets(wide: PlanPattern, plain: PlanPattern): boolean {
  if (isBelow(wide.prefix, plain.prefix)) return true;
  if (!plain.prefix.startsWith(wide.prefix) && `${plain.prefix}/` !== wide.prefix) return false;
  if (!MAGIC.test(wide.pattern)) return true;
  return picomatch.isMatch(plain.prefix, wide.pattern, { dot: true });
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
