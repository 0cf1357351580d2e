import { posix } from 'node:path';
import { tokenize } from '../command-line.ts';
import { splitChain } from './split-chain.ts';

/** What a shell would hide; read before anything is taken apart. */
const HIDDEN: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/(?:\|\||;)\s*(?:true|:|exit\s+0)\s*$/, 'what stands at its end hides every failure'],
  [/^(?:true|:)$/, 'it does nothing'],
  [/^exit(?:\s+0)?$/, 'it does nothing'],
];

/** Programs that say something, look at something or make something, and never judge a change. */
const NO_CHECKS: { readonly [reason: string]: string } = {
  'it does nothing': 'true : sleep wait',
  'it only says something': 'echo printf yes date whoami id hostname uname uptime env printenv',
  'it only enters a folder': 'cd pushd popd',
  'it only looks at files': 'ls dir pwd cat head tail wc stat file du df tree which where type less more',
  'it only makes, moves or removes files': 'mkdir touch cp mv ln rm rmdir chmod chown',
};
const BY_PROGRAM = new Map(
  Object.entries(NO_CHECKS).flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason])),
);

/** Programs that only run what follows them. */
const WRAPPERS = /^(?:env|nice|nohup|time|command|exec|npx|stdbuf|setsid|timeout)$/;
const SHELLS = /^(?:sh|bash|zsh|dash)$/;
const EVALUATORS = /^(?:node|bun|deno|python[\d.]*|ruby|perl|php)$/;
const EVALUATES = /^(?:-e|-p|-pe|--eval|--print|-c|-r)$/;
/** Code that reaches nothing of the project cannot fail because of it. */
const REACHES =
  /\b(?:require|import|open|readFile\w*|readdir\w*|exists\w*|spawn\w*|exec\w*|fetch|process\.exit\(\s*[1-9]|sys\.exit\(\s*[1-9]|throw|raise|assert)\b/;
const ONLY_TELLS = /^(?:--version|-v|-V|version|--help|-h|help)$/;
const GIT_CHECKS = /^(?:--check|--exit-code|--quiet|-q)$/;
const GIT_TELLS =
  /^(?:status|log|diff|show|branch|tag|remote|rev-parse|describe|ls-files|add|stash|fetch|config|blame|reflog|shortlog)$/;

/** Why the pass of a command proves nothing, or undefined. */
export function neverFails(command: string): string | undefined {
  const text = command.trim();
  const hidden = HIDDEN.find(([pattern]) => pattern.test(text))?.[1];
  if (hidden !== undefined) return hidden;
  const reasons = splitChain(text).map(ofPart);
  return reasons.every((reason) => reason !== undefined) ? reasons.at(-1) : undefined;
}

function ofPart(part: string): string | undefined {
  const hidden = HIDDEN.find(([pattern]) => pattern.test(part))?.[1];
  if (hidden !== undefined) return hidden;
  const line = tokenize(part);
  return line.ok ? ofWords(line.argv) : undefined;
}

/** The same for a program whose words are known. */
export function wordsNeverFail(argv: readonly string[]): string | undefined {
  return ofWords(argv);
}

function ofWords([program = '', ...words]: readonly string[]): string | undefined {
  const name = posix.basename(program);
  if (WRAPPERS.test(name)) {
    const rest = words.findIndex((word) => !/^-|^[\d.]+[smhd]?$|^\w+=/.test(word));
    return rest < 0 ? 'it does nothing' : ofWords(words.slice(rest));
  }
  const [first = '', second = ''] = words;
  if (SHELLS.test(name) && /^-\w*c$/.test(first)) return neverFails(second);
  if (words.length > 0 && words.every((word) => ONLY_TELLS.test(word))) return 'it only says something';
  if (EVALUATORS.test(name) && EVALUATES.test(first))
    return REACHES.test(second) ? undefined : 'its code reaches nothing of the project';
  if (name === 'git' && GIT_TELLS.test(first) && !words.some((word) => GIT_CHECKS.test(word)))
    return 'it only looks at the repository';
  return BY_PROGRAM.get(name);
}
