import { posix } from 'node:path';
import type { ReportFormat } from './read-report.ts';

/** A test runner that can say what became of each test. */
export interface Runner {
  readonly name: string;
  readonly format: ReportFormat;
  /** Words that make it write its report into a file, beside what it prints. */
  readonly args?: (file: string) => readonly string[];
  /** The same by variables, which reach it through scripts and wrappers. */
  readonly env?: (file: string) => { readonly [name: string]: string };
  /** What it prints is the report. */
  readonly printed?: true;
}

const RUNNERS: { readonly [name: string]: Omit<Runner, 'name'> } = {
  'node --test': {
    format: 'tap',
    env: (file) => ({
      NODE_OPTIONS: [
        '--test-reporter=spec --test-reporter-destination=stdout',
        `--test-reporter=tap --test-reporter-destination=${file}`,
      ].join(' '),
    }),
  },
  vitest: {
    format: 'vitest',
    args: (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
  },
  jest: { format: 'jest', args: (file) => ['--json', `--outputFile=${file}`] },
  mocha: { format: 'mocha', args: (file) => ['--reporter=json', `--reporter-option=output=${file}`] },
  pytest: { format: 'junit', env: (file) => ({ PYTEST_ADDOPTS: `--junitxml=${file}` }) },
  'go test': { format: 'go', env: () => ({ GOFLAGS: '-json' }), printed: true },
  'cargo test': { format: 'cargo', printed: true },
};

/** Programs that only start the one that is named behind them. */
const WRAPPERS: readonly (readonly string[])[] = [
  ['npx'],
  ['bunx'],
  ['pnpm', 'exec'],
  ['pnpm', 'dlx'],
  ['yarn', 'exec'],
  ['npm', 'exec', '--'],
  ['poetry', 'run'],
  ['uv', 'run'],
  ['pipenv', 'run'],
  ['cross-env'],
  ['dotenv', '--'],
  ['c8'],
  ['nyc'],
  ['time'],
];

/** The runner that words start, plainly; undefined: none that is known. */
export function runnerOf(words: readonly string[]): Runner | undefined {
  const name = nameOf(withoutWrappers(words));
  const runner = name === undefined ? undefined : RUNNERS[name];
  return name === undefined || runner === undefined ? undefined : { name, ...runner };
}

function nameOf([program = '', ...words]: readonly string[]): string | undefined {
  const name = posix.basename(program).replace(/\.(?:[cm]?js|exe|cmd)$/, '');
  const [first = '', second = ''] = words;
  if (name === 'node' || name === 'tsx') {
    if (words.includes('--test')) return 'node --test';
    // Started by the path of its own file.
    const script = words.find((word) => !word.startsWith('-'));
    return script === undefined ? undefined : /(?:^|\/)(vitest|jest|mocha)(?:\.[cm]?js)?$/.exec(script)?.[1];
  }
  if (/^python[\d.]*$/.test(name)) return first === '-m' && second === 'pytest' ? 'pytest' : undefined;
  if (name === 'py.test') return 'pytest';
  if (name === 'go' || name === 'cargo') return first === 'test' ? `${name} test` : undefined;
  if (name === 'vitest') return /^(?:list|bench|init|related)$/.test(first) ? undefined : name;
  return name === 'jest' || name === 'mocha' || name === 'pytest' ? name : undefined;
}

function withoutWrappers(words: readonly string[]): readonly string[] {
  const rest = words.slice(words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word)));
  const wrapper = WRAPPERS.find((each) => each.every((word, at) => rest[at] === word));
  if (!wrapper) return rest;
  const next = rest.slice(wrapper.length);
  const program = next.findIndex((word) => !word.startsWith('-') && !/^[A-Za-z_]\w*=/.test(word));
  return program < 0 ? [] : withoutWrappers(next.slice(program));
}
