import type { ScreenPatterns } from '../adapter.ts';
import { readQuestion, type ScreenQuestion } from './question.ts';

export interface Recognised extends ScreenQuestion {
  /** The name of the pattern. */
  readonly name: string;
}

/** The question that stands on a screen; none while the agent works. The first pattern that matches wins. */
export function recognise(patterns: ScreenPatterns, text: string): Recognised | undefined {
  if (patterns.working.some((pattern) => find(pattern, text))) return undefined;
  for (const { name, pattern, pick } of patterns.interactions) {
    const match = find(pattern, text);
    if (match) return { name, ...readQuestion(text, match, pick) };
  }
  return undefined;
}

/** A pattern with memory (`g`, `y`) would miss every second screen. */
function find(pattern: RegExp, text: string): RegExpExecArray | null {
  pattern.lastIndex = 0;
  return pattern.exec(text);
}
