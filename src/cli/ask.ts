import { oneLine } from '../kernel/words.ts';
import type { Question } from '../manifest/worker.ts';
import type { Screen } from './output.ts';

/** Asks the person at the terminal; undefined when they leave it open. */
export async function askQuestion(
  screen: Screen,
  { question, choices = [] }: Question,
  stop: AbortSignal,
): Promise<string | undefined> {
  const { bold, dim } = screen.style;
  screen.line();
  screen.line(`${bold('?')} ${bold(oneLine(question))}`);
  for (const [index, choice] of choices.entries()) screen.line(`  ${index + 1}) ${oneLine(choice)}`);
  const hint = choices.length > 0 ? `1-${choices.length}, or a word` : 'your answer';
  for (;;) {
    const text = await readLine(`${dim(`${hint}; empty to answer later`)} > `, stop);
    if (text === undefined || text.trim() === '') return undefined;
    const answer = readChoice(text, choices);
    if (answer !== undefined) return answer;
    screen.line(`  "${oneLine(text)}" is not one of the choices.`);
  }
}

export async function confirm(question: string): Promise<boolean> {
  const text = await readLine(`${question} [y/N] `);
  return /^y(es)?$/i.test(text?.trim() ?? '');
}

export function readChoice(text: string, choices: readonly string[]): string | undefined {
  if (choices.length === 0) return text;
  const wanted = text.trim().toLowerCase();
  return choices.find((choice) => choice.toLowerCase() === wanted) ?? choices[Number(wanted) - 1];
}

/** One line, or undefined at the end of the input or after Ctrl-C. */
async function readLine(prompt: string, stop?: AbortSignal): Promise<string | undefined> {
  // Few commands ever ask, and every one of them would load it.
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // readline keeps Ctrl-C for itself while it reads.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const ended = new Promise<undefined>((resolve) => {
    lines.once('close', () => resolve(undefined));
  });
  try {
    const asked = lines.question(prompt, stop ? { signal: stop } : {});
    return await Promise.race([asked, ended]);
  } catch (error) {
    if (stop?.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
  }
}
