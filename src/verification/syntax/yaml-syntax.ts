import type { SourceFile, SyntaxProblem } from './languages.ts';

const MOST_NAMED = 10;

/** Every document of a file, parsed and not resolved: no alias is followed, so none can grow without end. */
export async function yamlProblems(files: readonly SourceFile[]): Promise<SyntaxProblem[]> {
  if (files.length === 0) return [];
  const { parseAllDocuments } = await import('yaml');
  return files.flatMap(({ path, content }) => {
    const documents = parseAllDocuments(content, { merge: true, logLevel: 'silent' });
    const errors = Array.isArray(documents) ? documents.flatMap((document) => document.errors) : [];
    return errors.slice(0, MOST_NAMED).map(({ message, linePos }) => ({
      path,
      line: linePos?.[0].line ?? 1,
      problem: firstLine(message),
    }));
  });
}

/** The rest quotes the place, which the line names. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}
