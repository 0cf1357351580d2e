import type { AgentError } from '../../event.ts';
import { agentError } from './error-kind.ts';

/** How many of its last lines an agent without an error channel is believed about itself. */
const LAST_LINES = 3;

/** The marks of a line that a test runner, a compiler or another tool has printed, and not the agent. */
const OF_A_TOOL: readonly RegExp[] = [
  /^\s*(?:[✓✔✗✘×✖●○❯►▶⎯]|not ok\b|ok \d|FAIL|PASS|ERROR in|E {2,}|---|\+\+\+|@@|[+-] |> |\d+ *[|│]|\$ |# )/u,
  /^\s*at \S+ ?\(|:\d+:\d+|\bline \d+\b|^Error executing tool\b/,
  /\bexpect\(|\bexpected:?\s+(?:\d|["'`]|status|value|true|false|\w+ to\b)|\breceived:|\bassert(?:ion|s|ed)?\b|AssertionError/i,
  /\btests?\b|\bspecs?\b|\btest[ _-]?(?:suites?|files?|cases?)\b|\.(?:test|spec)\.\w+|_test\.\w+|\btest_\w+|\b(?:it|describe)\(/i,
  /\b\d+ (?:passed|failed|failing|skipped)\b/i,
];

/**
 * What went wrong by the words of a CLI that has no structured error for it: first those on its error channel, then the
 * last lines that it said. What a tool printed through it says nothing about it: a test that mentions a rate limit
 * spends no quota.
 */
export function errorInWords(
  words: { readonly errors: readonly string[]; readonly said: readonly string[] },
  otherwise: string,
  now: number,
): AgentError {
  const message = [...words.said, ...words.errors].join('\n') || otherwise;
  const channels = [words.errors, words.said.slice(-LAST_LINES)];
  for (const lines of channels) {
    const own = lines.filter((line) => !OF_A_TOOL.some((mark) => mark.test(line)));
    const error = agentError({ message: own.join('\n') }, now);
    if (error.kind !== 'crash') return { ...error, message };
  }
  return { type: 'error', kind: 'crash', message };
}
