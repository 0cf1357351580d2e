import { UsageError } from '../../kernel/errors.ts';
import type { ScreenQuestion } from './question.ts';

export interface Reply {
  readonly text: string;
  /** Whether the key that sends a line is pressed afterwards. */
  readonly enter: boolean;
}

const ARROWS = { column: ['\u001b[A', '\u001b[B'], row: ['\u001b[D', '\u001b[C'] } as const;

/**
 * What to type for an answer. Where there is a menu, only one of its choices will do: anything else typed into it, and
 * Enter behind it, would take whatever is pointed at.
 */
export function replyTo(question: ScreenQuestion | undefined, answer: string): Reply {
  const text = answer.replace(/[\r\n]+$/, '');
  if (!question?.menu) return { text, enter: true };
  const { menu, choices } = question;
  const chosen = choiceOf(choices, text.trim().toLowerCase());
  if (chosen < 0) {
    throw new UsageError(`${JSON.stringify(text)} is none of the choices.`, {
      next: `Choose one of: ${choices.map((choice, i) => `${i + 1} ${choice}`).join(', ')}.`,
    });
  }
  if (menu.pick === 'number') return { text: String(chosen + 1), enter: false };
  const [back, on] = ARROWS[menu.along];
  const steps = chosen - menu.pointed;
  return { text: (steps < 0 ? back : on).repeat(Math.abs(steps)), enter: true };
}

/** By its number, its words, the key it names in parentheses, or a beginning that only one of them has; or -1. */
export function choiceOf(choices: readonly string[], text: string): number {
  const labels = choices.map((choice) => choice.toLowerCase());
  const number = /^\d+$/.test(text) ? Number(text) - 1 : -1;
  if (number >= 0) return number < labels.length ? number : -1;
  const exact = labels.findIndex((label) => label === text || label.endsWith(`(${text})`));
  if (exact >= 0 || text === '') return exact;
  const first = labels.findIndex((label) => label.startsWith(text));
  return first === labels.findLastIndex((label) => label.startsWith(text)) ? first : -1;
}
