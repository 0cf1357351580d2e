import type { ChangedLines } from '../../workspace/git/diff-lines.ts';
import type { FileKind } from './file-kinds.ts';
import type { SuspiciousChange } from './segment.ts';
import tables from './tables.json' with { type: 'json' };

interface Row {
  readonly rule: string;
  readonly weight: 'hard' | 'soft';
  readonly what: string;
  readonly kinds: ReadonlySet<string>;
  readonly endings: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
}

let rows: readonly Row[] | undefined;

function readRows(): readonly Row[] {
  return tables.lines.map(({ rule, weight, what, in: kinds, files, patterns }) => ({
    rule,
    weight: weight === 'hard' ? 'hard' : 'soft',
    what,
    kinds: new Set(kinds),
    endings: new Set(files),
    patterns: patterns.map((pattern) => new RegExp(pattern)),
  }));
}

const LONGEST_SHOWN = 80;
/** A line of machine-made text is nobody's switch. */
const LONGEST_READ = 2000;

/** Lines that switch a check off, weaken it or make it say less, by the table. */
export function suspiciousLines(
  files: readonly ChangedLines[],
  kindOf: (path: string) => FileKind,
): SuspiciousChange[] {
  rows ??= readRows();
  const all = rows;
  return files.flatMap((file) => {
    const kind = kindOf(file.path);
    const known = new Set(file.removed.map((text) => text.trim()));
    const fitting = all.filter((row) => fits(row, kind, file.path));
    return file.added.flatMap(({ line, text }): SuspiciousChange[] => {
      // A line that only moved was there before.
      if (text.length > LONGEST_READ || known.has(text.trim())) return [];
      const row = fitting.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)));
      if (!row) return [];
      const { rule, what } = row;
      // A test that was never there is not switched off; one that is gone is found by its name.
      const weight = file.isNew && kind === 'test' ? 'soft' : row.weight;
      return [{ rule, weight, path: file.path, line, what: `${what}: ${shown(text)}` }];
    });
  });
}

function fits({ kinds, endings }: Row, kind: FileKind, path: string): boolean {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return kinds.has(kind) && (endings.has('*') || endings.has(ending));
}

function shown(text: string): string {
  const plain = text.trim().replaceAll(/\s+/g, ' ');
  return plain.length > LONGEST_SHOWN ? `${plain.slice(0, LONGEST_SHOWN - 1)}…` : plain;
}
