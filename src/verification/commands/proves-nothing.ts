import { join } from 'node:path';
import { tokenize } from '../command-line.ts';
import { scriptNamed, scriptsIn } from './empty-script.ts';
import { neverFails, wordsNeverFail } from './never-fails.ts';
import { splitChain } from './split-chain.ts';

/** Of a test runner that passed without anything to run. */
export const NO_TEST = 'it ran no test';

/** Scripts that lead to each other in a circle end somewhere. */
const MOST_SCRIPTS = 8;

/**
 * Why the pass of a command is no evidence; undefined: it may be. A command proves something only if it starts a
 * program that could have failed because of the files: entering a folder, saying something or doing nothing is none,
 * and neither is a script of the package that does no more than that.
 */
export function provesNothing(line: string, folder: string): string | undefined {
  return ofLine(line, folder, MOST_SCRIPTS);
}

/** The same for a program whose words are known. */
export function wordsProveNothing(argv: readonly string[], folder: string): string | undefined {
  return wordsNeverFail(argv) ?? ofScript(argv, folder, MOST_SCRIPTS);
}

function ofLine(line: string, folder: string, left: number): string | undefined {
  const text = line.trim();
  if (text === '') return 'it is empty';
  const hidden = neverFails(text);
  if (hidden !== undefined) return hidden;
  let place = folder;
  let reason: string | undefined;
  for (const part of splitChain(text)) {
    const read = tokenize(part);
    reason = neverFails(part) ?? (read.ok ? ofScript(read.argv, place, left) : undefined);
    if (reason === undefined) return undefined;
    if (read.ok && read.argv[0] === 'cd') place = join(place, read.argv[1] ?? '');
  }
  return reason;
}

function ofScript(argv: readonly string[], folder: string, left: number): string | undefined {
  const name = scriptNamed(argv);
  const script = name === undefined ? undefined : scriptsIn(folder).get(name);
  if (script === undefined || left === 0) return undefined;
  const reason = ofLine(script, folder, left - 1);
  return reason === undefined ? undefined : `its script is \`${script}\`: ${reason}`;
}
