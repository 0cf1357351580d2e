/** Words that only a shell understands. `cd` is one too, but it can be followed without a shell. */
const BUILTINS = new Set(
  `. alias bg bind builtin caller cd declare dirs disown enable eval exec exit export fc fg getopts help jobs
  let local logout mapfile popd pushd readarray readonly return set setopt shift shopt source suspend times trap
  typeset ulimit umask unalias unset`.split(/\s+/),
);

export function isShellBuiltin(word: string): boolean {
  return BUILTINS.has(word.toLowerCase());
}
