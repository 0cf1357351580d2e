/** The lines of one file that a diff adds and takes away. */
export interface ChangedLines {
  readonly path: string;
  /** It was not there before. */
  readonly isNew: boolean;
  readonly added: readonly { readonly line: number; readonly text: string }[];
  readonly removed: readonly string[];
}

interface Open extends ChangedLines {
  readonly added: { line: number; text: string }[];
  readonly removed: string[];
}

/** What makes a diff readable here: no help of other programs, no renames, no lines around the changed ones. */
export const BARE_DIFF = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '-U0'];

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads a diff that was made with `BARE_DIFF`, one entry for each time that a file is named in it. */
export function readDiffLines(diff: string): ChangedLines[] {
  const files: Open[] = [];
  let gone = '';
  let [line, added, removed] = [0, 0, 0];
  for (const text of diff.split('\n')) {
    const open = files.at(-1);
    if (removed > 0 && text.startsWith('-')) {
      open?.removed.push(text.slice(1));
      removed--;
    } else if (added > 0 && text.startsWith('+')) {
      open?.added.push({ line, text: text.slice(1) });
      line++;
      added--;
    } else if (added === 0 && removed === 0) {
      const hunk = HUNK.exec(text);
      if (hunk) [removed, line, added] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)];
      else if (text.startsWith('--- ')) gone = fileOf(text.slice(4), 'a/');
      else if (text.startsWith('+++ ')) {
        const path = fileOf(text.slice(4), 'b/');
        files.push({
          path: path === '/dev/null' ? gone : path,
          isNew: gone === '/dev/null',
          added: [],
          removed: [],
        });
      }
    }
  }
  return files;
}

/** `b/src/a.js`, in quotes where the name has letters that git escapes. */
function fileOf(written: string, side: string): string {
  const name = written.replace(/^"(.*)"$/, '$1').replace(/\t$/, '');
  return name.startsWith(side) ? name.slice(side.length) : name;
}
