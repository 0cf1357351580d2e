export interface MakeTarget {
  readonly needs: string[];
  readonly recipe: string[];
}

/** Targets of a makefile with what they need and what they run. */
export function targetsIn(text: string): Map<string, MakeTarget> {
  const targets = new Map<string, MakeTarget>();
  let open: MakeTarget[] = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const head = /^([^\s:#=][^:=#]*):(?!=)([^=#]*)/.exec(line);
    if (line.startsWith('\t')) for (const target of open) target.recipe.push(line.trim());
    else if (head) {
      const needs = (head[2] ?? '').split(/[\s|]+/).filter((word) => word !== '');
      open = (head[1] ?? '')
        .trim()
        .split(/\s+/)
        .map((name) => {
          const target = targets.get(name) ?? { needs: [], recipe: [] };
          target.needs.push(...needs);
          targets.set(name, target);
          return target;
        });
    } else if (line.trim() !== '') open = [];
  }
  return targets;
}

/** A variable can be the shell of every recipe, or all of one. */
export function variablesIn(text: string): string[] {
  return text.split('\n').filter((line) => /^[^\t#].*=/.test(line) && !/^[^=]*:(?!=)[^=]*$/.test(line));
}

/** The targets that a call of make asks for; without one, the first. */
export function askedTargets(words: readonly string[], targets: ReadonlyMap<string, MakeTarget>): string[] {
  const asked = words.filter((word, at) => !/^-|=/.test(word) && words[at - 1] !== '-C');
  const first = [...targets.keys()].find((name) => !name.startsWith('.'));
  return asked.length > 0 ? asked : first === undefined ? [] : [first];
}
