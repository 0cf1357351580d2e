export interface ScreenQuestion {
  readonly question: string;
  readonly choices: readonly string[];
  /** One of the choices is pointed at: a key picks one, and the key that sends a line is not needed. */
  readonly menu: boolean;
}

/** How far above its choices a question may stand: the command or the change it is about lies between them. */
const MOST_LINES_ABOVE = 20;

/**
 * What is asked, read from the lines around a match. A pattern may say it itself with the groups `question` and
 * `choices`, the latter one to a line or two blanks apart.
 */
export function readQuestion(screen: string, match: RegExpExecArray): ScreenQuestion {
  const lines = screen.split('\n').map(withoutFrame);
  const first = lineAt(screen, match.index);
  const last = lineAt(screen, match.index + match[0].length);
  const named = match.groups?.['choices']?.split(/\s{2,}|\n/).map((choice) => withoutFrame(choice));
  const list = named ? undefined : lastList(lines, first);
  const question =
    match.groups?.['question'] ??
    lines.slice(first, last + 1).find(isQuestion) ??
    (list && lines.slice(Math.max(0, list.start - MOST_LINES_ABOVE), list.start).findLast(isQuestion)) ??
    lines[first] ??
    '';
  return {
    question: withoutFrame(question),
    choices: named?.filter((choice) => choice !== '') ?? list?.choices ?? yesOrNo(question),
    menu: list?.menu ?? false,
  };
}

interface ChoiceList {
  readonly start: number;
  readonly choices: readonly string[];
  readonly menu: boolean;
}

const CHOICE = /^(?<pointer>[❯›>●○•*→▶▸]\s*)?(?<number>\d{1,2})[.)]\s+(?<text>\S.*)$/u;

/** The last list numbered from 1 that ends at or below a line; older ones higher up are history. */
function lastList(lines: readonly string[], from: number): ChoiceList | undefined {
  for (let end = lines.length - 1; end >= from; end--) {
    const number = Number(CHOICE.exec(lines[end] ?? '')?.groups?.['number'] ?? 0);
    const list = number >= 1 ? listUpwards(lines, end, number) : undefined;
    if (list) return list;
  }
  return undefined;
}

/** Lines between two numbers belong to the upper choice: it was too long for one. */
function listUpwards(lines: readonly string[], end: number, last: number): ChoiceList | undefined {
  const choices: string[] = [];
  let menu = false;
  let wanted = last;
  let wrapped = '';
  for (let at = end; at >= 0; at--) {
    const groups = CHOICE.exec(lines[at] ?? '')?.groups;
    if (!groups || Number(groups['number']) !== wanted) {
      if (lines[at] === '' || groups) return undefined;
      wrapped = ` ${lines[at]}${wrapped}`;
      continue;
    }
    choices.unshift(`${groups['text']}${wrapped}`);
    menu ||= groups['pointer'] !== undefined;
    wrapped = '';
    if (wanted === 1) return { start: at, choices, menu };
    wanted--;
  }
  return undefined;
}

const isQuestion = (line: string) => line.endsWith('?');

function yesOrNo(question: string): string[] {
  const [, yes, no] = /[[(](y|yes)\/(n|no)[\])]/i.exec(question) ?? [];
  return yes === undefined || no === undefined ? [] : [yes.toLowerCase(), no.toLowerCase()];
}

/** Without the box that is drawn around it. */
function withoutFrame(line: string): string {
  return line.replace(/^[\s│┃║|▌]+/u, '').replace(/[\s│┃║|▐]+$/u, '');
}

function lineAt(text: string, index: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
