import { describeEnd, type ProcessOutcome } from '../../process/outcome.ts';
import { jsonProblem } from './json-syntax.ts';
import {
  type Language,
  languageOf,
  type SourceFile,
  type SyntaxProblem,
  type Unchecked,
} from './languages.ts';
import { NODE_PARSER, PYTHON_PARSER, readFindings } from './parsers.ts';
import { yamlProblems } from './yaml-syntax.ts';

/** Starts a parser with the files as its input. */
export type RunParser = (parser: {
  readonly argv: readonly string[];
  readonly input: string;
}) => Promise<ProcessOutcome>;

export interface SyntaxReport {
  /** Files that were parsed, with or without a problem. */
  readonly checked: readonly string[];
  readonly problems: readonly SyntaxProblem[];
  readonly unchecked: readonly Unchecked[];
}

const NODE = [process.execPath, '--experimental-vm-modules', '--no-warnings', '-e', NODE_PARSER];
/** Isolated: neither the folder nor the user's packages can stand in for its own modules. */
const PYTHON = ['python3', '-I', '-c', PYTHON_PARSER];

/** Parses the files in the languages that something here can parse; no line of them is run. */
export async function checkSyntax(files: readonly SourceFile[], run: RunParser): Promise<SyntaxReport> {
  const known = files.map((file) => ({ file, language: languageOf(file) }));
  const of = (...languages: readonly Language[]) =>
    known.flatMap(({ file, language }) => (languages.some((one) => one === language) ? [file] : []));
  const json = of('json');
  const yaml = of('yaml');
  const node = of('javascript', 'typescript');
  const python = of('python');
  const parsed = [await parse(NODE, node, run), await parse(PYTHON, python, run)];
  const unchecked = [
    ...known.flatMap(({ file, language }) =>
      typeof language === 'object' ? [{ path: file.path, why: language.why }] : [],
    ),
    ...parsed.flatMap((part) => part.unchecked),
  ];
  const skipped = new Set(unchecked.map(({ path }) => path));
  return {
    checked: [...json, ...yaml, ...node, ...python]
      .map(({ path }) => path)
      .filter((path) => !skipped.has(path)),
    problems: [
      ...json.flatMap((file) => jsonProblem(file) ?? []),
      ...(await yamlProblems(yaml)),
      ...parsed.flatMap((part) => part.problems),
    ],
    unchecked,
  };
}

async function parse(argv: readonly string[], files: readonly SourceFile[], run: RunParser) {
  if (files.length === 0) return { problems: [], unchecked: [] };
  const outcome = await run({ argv, input: JSON.stringify(files) });
  if (outcome.kind === 'exited' && outcome.code === 0) return readFindings(outcome.output.text, files);
  const [program = ''] = argv;
  const why =
    outcome.kind === 'not-started' && outcome.error.code === 'ENOENT'
      ? `${program} is not installed here`
      : `its parser ${describeEnd(outcome)}`;
  return { problems: [], unchecked: files.map(({ path }) => ({ path, why })) };
}
