import { type DetectedCommands, type Found, readText } from './found.ts';

/** In the order in which make looks for them. */
const NAMES = ['GNUmakefile', 'makefile', 'Makefile'];

export function fromMakefile(projectDir: string): DetectedCommands {
  for (const name of NAMES) {
    const text = readText(projectDir, name);
    if (text === undefined) continue;
    const targets = makeTargets(text);
    const target = (...wanted: string[]): Found | undefined => {
      const found = wanted.find((candidate) => targets.has(candidate));
      return found === undefined
        ? undefined
        : { command: ['make', found], from: `${name} target "${found}"` };
    };
    const [test, lint, build] = [target('test', 'check'), target('lint'), target('build')];
    return { ...(test && { test }), ...(lint && { lint }), ...(build && { build }) };
  }
  return {};
}

/** Targets with an explicit rule; special (`.PHONY`), pattern and variable-only lines are none. */
export function makeTargets(text: string): Set<string> {
  const targets = new Set<string>();
  let inDefine = false;
  for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    if (/^\s*define\b/.test(line)) inDefine = true;
    if (/^\s*endef\b/.test(line)) inDefine = false;
    if (inDefine || line.startsWith('\t')) continue;
    for (const name of ruleTargets(line.replace(/#.*$/, ''))) targets.add(name);
  }
  return targets;
}

function ruleTargets(line: string): string[] {
  const rule = /^([^:=]+?)\s*&?::?(?![:=])(.*)$/.exec(line);
  if (!rule) return [];
  const [, names = '', rest = ''] = rule;
  const setsVariable = /^\s*[\w.-]+\s*(?:[?+!]|::?:?)?=/.test(rest);
  if (setsVariable) return [];
  return names.split(/\s+/).filter((name) => name !== '' && !name.startsWith('.') && !/[%$]/.test(name));
}
