import { action } from '../kernel/action.ts';
import { LoopwrightError } from '../kernel/errors.ts';
import { findJsonMistake } from '../kernel/json-mistake.ts';
import { formatProblem, type Problem } from './problem.ts';

/** There is no manifest to read. */
export class ManifestNotFoundError extends LoopwrightError {
  override readonly kind = 'not-found';
  readonly file: string;

  constructor(file: string, cause?: unknown) {
    super(`There is no manifest at ${file}.`, {
      next: 'Check the path.',
      ...(cause === undefined ? {} : { cause }),
    });
    this.file = file;
  }
}

/** The manifest is not JSON; `line` and `column` count from 1. */
export class ManifestSyntaxError extends LoopwrightError {
  override readonly kind = 'invalid';
  readonly file: string;
  readonly line: number;
  readonly column: number;

  constructor(file: string, mistake: { line: number; column: number; reason: string }, cause?: unknown) {
    super(`${file}:${mistake.line}:${mistake.column}: ${mistake.reason}`, {
      next: `Correct line ${mistake.line} of ${file}; a manifest is plain JSON.`,
      ...(cause === undefined ? {} : { cause }),
    });
    this.file = file;
    this.line = mistake.line;
    this.column = mistake.column;
  }
}

/** The file to check again; a manifest that was made by a program has none. */
function fileOf([first]: readonly Problem[]): { readonly workflow?: string } {
  return first?.file === undefined ? {} : { workflow: first.file };
}

/** The manifest is JSON, but not one that can run. */
export class ManifestInvalidError extends LoopwrightError {
  override readonly kind = 'invalid';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const errors = problems.filter((problem) => problem.severity === 'error');
    const warnings = problems.filter((problem) => problem.severity === 'warning');
    const lines = [
      `The manifest has ${errors.length === 1 ? 'a problem' : `${errors.length} problems`}:`,
      ...errors.map((problem) => `  ${formatProblem(problem)}`),
      ...warnings.map((problem) => `  warning: ${formatProblem(problem)}`),
    ];
    super(lines.join('\n'), {
      next: action('workflow.validate', 'Correct the manifest, then check it', fileOf(errors)),
    });
    this.problems = problems;
  }
}

/** Reads the text of a manifest, or throws ManifestSyntaxError naming line and column. */
export function parseManifestText(text: string, file: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  const mistake = findJsonMistake(json);
  if (mistake) throw new ManifestSyntaxError(file, mistake);
  return JSON.parse(json);
}
