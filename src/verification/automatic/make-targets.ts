import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTargets } from '../../config/detect/makefile.ts';
import { tokenize } from '../command-line.ts';

/** Targets of a `make` command that no makefile has a rule for. Without a makefile that can be read, none is unknown. */
export function unknownMakeTargets(command: string, root: string): string[] {
  const line = tokenize(command);
  if (!line.ok || line.argv[0] !== 'make') return [];
  const wanted = targetsOf(line.argv.slice(1));
  if (wanted === undefined) return [];
  const text = makefileIn(root);
  if (text === undefined) return wanted;
  // Pattern rules and included files can make anything.
  if (/^[^\t#]*%[^:=]*:/m.test(text) || /^-?include\b/m.test(text)) return [];
  const known = makeTargets(text);
  return wanted.filter((target) => !known.has(target));
}

/** Undefined when another makefile is named, which is not read here. */
function targetsOf(words: readonly string[]): string[] | undefined {
  if (words.some((word) => /^(?:-C|-f|--directory|--file|--makefile)/.test(word))) return undefined;
  return words.filter((word) => !word.startsWith('-') && !word.includes('='));
}

function makefileIn(root: string): string | undefined {
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) {
    try {
      return readFileSync(join(root, name), 'utf8');
    } catch {
      // The next name may be there.
    }
  }
  return undefined;
}
