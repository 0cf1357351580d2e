import { posix } from 'node:path';

export type Language = 'json' | 'yaml' | 'javascript' | 'typescript' | 'python';

/** A file as it would be, or is, in the tree. */
export interface SourceFile {
  readonly path: string;
  readonly content: string;
}

export interface SyntaxProblem {
  readonly path: string;
  readonly line: number;
  readonly problem: string;
}

/** A file whose syntax nobody looked at, and why. */
export interface Unchecked {
  readonly path: string;
  readonly why: string;
}

const ENDINGS: { readonly [ending: string]: Language } = {
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'typescript',
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescript',
  '.py': 'python',
  '.pyi': 'python',
};

/** Tools read these as JSON with comments and trailing commas. */
const COMMENTED =
  /^(?:[tj]sconfig(?:\..+)?|devcontainer|\.eslintrc|\.swcrc|api-extractor|turbo|wrangler)\.json$/;
const COMMENTED_FOLDERS = new Set(['.vscode', '.devcontainer']);
/** Files for tests to work on are often broken on purpose. */
const FIXTURES = new Set(['fixtures', '__fixtures__', 'testdata']);

/** What Helm, Jinja and their like leave between the lines. */
const TEMPLATE = /^\s*(?:-\s*)?\{[{%]/m;

/** The parser a file needs, or why it gets none; undefined: it is in no language that has one. */
export function languageOf({ path, content }: SourceFile): Language | { readonly why: string } | undefined {
  const ending = posix.extname(path).toLowerCase();
  const language = ENDINGS[ending];
  if (language === undefined) return undefined;
  const folders = posix.dirname(path).split('/');
  if (folders.some((name) => FIXTURES.has(name))) return { why: 'it is a file for tests to work on' };
  const commented =
    COMMENTED.test(posix.basename(path)) || folders.some((name) => COMMENTED_FOLDERS.has(name));
  if (language === 'json' && commented) return { why: 'it may hold comments' };
  if (language === 'yaml' && TEMPLATE.test(content))
    return { why: 'it is a template, and no YAML before it is filled in' };
  return language;
}
