import { errorMessage } from '../../kernel/errors.ts';
import type { SourceFile, SyntaxProblem } from './languages.ts';

export function jsonProblem({ path, content }: SourceFile): SyntaxProblem | undefined {
  try {
    JSON.parse(content.replace(/^\uFEFF/, ''));
    return undefined;
  } catch (error) {
    const said = errorMessage(error);
    // Only the end of the text has no position.
    const position = Number(/at position (\d+)/.exec(said)?.[1] ?? content.length);
    return { path, line: content.slice(0, position).split('\n').length, problem: said };
  }
}
