import { tokenize } from '../command-line.ts';
import { deniedBy } from './denied-commands.ts';
import { neverFails } from './never-fails.ts';
import { splitChain } from './split-chain.ts';

export type ChainStep =
  | { readonly kind: 'cd'; readonly part: string; readonly words: readonly string[] }
  | {
      readonly kind: 'run';
      readonly part: string;
      readonly argv: readonly string[];
      readonly env: { readonly [name: string]: string };
    };

export type Chain =
  | { readonly ok: true; readonly steps: readonly ChainStep[] }
  | { readonly ok: false; readonly code: 'unsupported_format' | 'denied_command'; readonly reason: string };

/** A command whose words are known already: one program, whatever its words look like. */
export function readWords(
  text: string,
  { argv, env }: { readonly argv: readonly string[]; readonly env: { readonly [name: string]: string } },
  denied: readonly string[] = [],
): Chain {
  const pattern = deniedBy(text, denied);
  if (pattern !== undefined) return forbidden(pattern);
  const steps: ChainStep[] = [
    argv[0] === 'cd'
      ? { kind: 'cd', part: text, words: argv.slice(1) }
      : { kind: 'run', part: text, argv, env },
  ];
  return { ok: true, steps };
}

function forbidden(pattern: string): Chain {
  return { ok: false, code: 'denied_command', reason: `it is forbidden by the pattern "${pattern}"` };
}

/** Reads a command before any of it is started: one part that cannot be run keeps the whole chain from running. */
export function readChain(text: string, denied: readonly string[] = []): Chain {
  const pattern = deniedBy(text, denied);
  if (pattern !== undefined) return forbidden(pattern);
  const steps: ChainStep[] = [];
  for (const part of splitChain(text)) {
    const step = readStep(part);
    if (typeof step === 'string') return { ok: false, code: 'unsupported_format', reason: step };
    steps.push(step);
  }
  return { ok: true, steps };
}

function readStep(part: string): ChainStep | string {
  if (part === '') return 'a part of the chain is empty';
  const hidden = neverFails(part);
  const line = tokenize(part);
  if (!line.ok) return hidden === undefined ? line.reason : `${line.reason}, and ${hidden}`;
  const [program = '', ...rest] = line.argv;
  if (program === 'cd') return { kind: 'cd', part, words: rest };
  if (isShellBuiltin(program)) return `"${program}" is a word of the shell, not a program`;
  return { kind: 'run', part, argv: line.argv, env: line.env };
}

/** Words that only a shell understands. `cd` is one too, but it can be followed without a shell. */
const BUILTINS = new Set(
  `. alias bg bind builtin caller cd declare dirs disown enable eval exec exit export fc fg getopts help jobs
  let local logout mapfile popd pushd readarray readonly return set setopt shift shopt source suspend times trap
  typeset ulimit umask unalias unset`.split(/\s+/),
);

function isShellBuiltin(word: string): boolean {
  return BUILTINS.has(word.toLowerCase());
}
