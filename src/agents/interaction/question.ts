import type { ScreenPatterns } from '../adapter.ts';
import { findChoices, type Menu } from './choices.ts';

export interface ScreenQuestion {
  readonly question: string;
  readonly choices: readonly string[];
  readonly menu: Menu | undefined;
}

/** How far above its choices a question may stand: the command or the change it is about lies between them. */
const MOST_LINES_ABOVE = 20;

/**
 * What is asked, read from the lines around a match. A pattern may say it itself with the groups `question` and
 * `choices`; choices that stand in one row, two blanks apart, are picked with the arrow keys.
 */
function readQuestion(screen: string, match: RegExpExecArray, pick?: Menu['pick']): ScreenQuestion {
  const lines = screen.split('\n').map(withoutFrame);
  const first = lineAt(screen, match.index);
  const last = lineAt(screen, match.index + match[0].length);
  const row = match.groups?.['choices']?.trim().split(/\s{2,}/);
  const list = row ? undefined : findChoices(lines, first, pick);
  const question =
    match.groups?.['question'] ??
    lines.slice(first, last + 1).find(isQuestion) ??
    (list && lines.slice(Math.max(0, list.start - MOST_LINES_ABOVE), list.start).findLast(isQuestion)) ??
    lines[first] ??
    '';
  if (row)
    return { question: question.trim(), choices: row, menu: { pick: 'arrows', along: 'row', pointed: 0 } };
  return { question: question.trim(), choices: list?.labels ?? yesOrNo(question), menu: list?.menu };
}

const isQuestion = (line: string) => line.endsWith('?');

function yesOrNo(question: string): string[] {
  const [, yes, no] = /[[(](y|yes)\/(n|no)[\])]/i.exec(question) ?? [];
  return yes === undefined || no === undefined ? [] : [yes.toLowerCase(), no.toLowerCase()];
}

/** Without the box that is drawn around it, everything in its column. */
function withoutFrame(line: string): string {
  return line.replace(/^[\s│┃║▌]+/u, (frame) => ' '.repeat(frame.length)).replace(/[\s│┃║▐]+$/u, '');
}

function lineAt(text: string, index: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

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
