export type PathStep = string | number;

export interface Problem {
  readonly severity: 'error' | 'warning';
  /** What is wrong and what would be right, in one line. */
  readonly message: string;
  readonly file?: string;
  readonly node?: string;
  readonly block?: string;
  /** The place in the list that holds the problem: a transition, a merge instruction, a gate. */
  readonly index?: number;
  /** From the root of the document. */
  readonly path: readonly PathStep[];
}

export type Place = Pick<Problem, 'node' | 'block' | 'path'>;

/** The same place, deeper in the document. */
export function inside(place: Place, ...steps: PathStep[]): Place {
  return { ...place, path: [...place.path, ...steps] };
}

/** Collects everything that one pass finds. */
export class ProblemReport {
  readonly problems: Problem[] = [];
  readonly #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
  }

  error(place: Place, message: string): void {
    this.#add('error', place, message);
  }

  warning(place: Place, message: string): void {
    this.#add('warning', place, message);
  }

  get hasErrors(): boolean {
    return this.problems.some((problem) => problem.severity === 'error');
  }

  #add(severity: Problem['severity'], place: Place, message: string): void {
    const index = place.path.findLast((step) => typeof step === 'number');
    this.problems.push({
      severity,
      message,
      ...(this.#file === undefined ? {} : { file: this.#file }),
      ...place,
      ...(index === undefined ? {} : { index }),
    });
  }
}

/** `workflows.json: node Core, block Run, transitions[1].action: "FLY:x" is not an action.` */
export function formatProblem(problem: Problem): string {
  const parts = [
    problem.node === undefined ? '' : `node ${problem.node}`,
    problem.block === undefined ? '' : `block ${problem.block}`,
    dotted(problem.path.slice(depthOfNames(problem))),
  ].filter((part) => part !== '');
  const place = parts.length === 0 ? [] : [parts.join(', ')];
  return oneLine(
    [...(problem.file === undefined ? [] : [problem.file]), ...place, problem.message].join(': '),
  );
}

/** A written value for a message: short, and on one line whatever it holds. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}

/** How many steps of the path the words "node X, block Y" have said already. */
function depthOfNames({ node, block, path }: Problem): number {
  if (node === undefined) return 0;
  const base = path[0] === 'nodes' && path[1] === node ? 2 : 1;
  return block === undefined ? base : base + 2;
}

function dotted(path: readonly PathStep[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
