import type { ScreenQuestion } from './question.ts';

export interface Reply {
  readonly text: string;
  /** Whether the key that sends a line is pressed afterwards. */
  readonly enter: boolean;
}

/** What to type for an answer. In a menu a choice is picked by its number, named as it is or by its words. */
export function replyTo(question: ScreenQuestion | undefined, answer: string): Reply {
  const text = answer.replace(/[\r\n]+$/, '');
  if (!question?.menu) return { text, enter: true };
  const named = question.choices.findIndex((choice) => choice.toLowerCase() === text.trim().toLowerCase());
  if (named >= 0) return { text: String(named + 1), enter: false };
  const number = Number(text.trim());
  const picks = Number.isInteger(number) && number >= 1 && number <= question.choices.length;
  return picks ? { text: text.trim(), enter: false } : { text, enter: true };
}
