import { posix } from 'node:path';

const RUNNERS = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|bash|sh|zsh|dash)$/;
const TAKES_IN = /^(?:\.|source)$/;
const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|pl|php|sh|bash)$/;
/** Runners that take the files of tests as words; others take words as a choice among tests they find by name. */
const TAKES_TESTS = /^(?:mocha|ava|tap|tape|uvu|pytest|py\.test|rspec|phpunit|bats|c8|nyc)$/;
/** Folders that hold more than tests, whoever is pointed at them. */
const NOT_TESTS_ALONE = new Set(['.', 'src', 'lib', 'app', 'source', 'packages']);

/** Files of the project that a program is started with or takes in, as the check itself. */
export function startedFiles(program: string, words: readonly string[]): string[] {
  const name = posix.basename(program);
  if (TAKES_IN.test(program)) return words.slice(0, 1).filter((word) => !word.startsWith('/'));
  const module = name.startsWith('python') ? words[words.indexOf('-m') + 1] : undefined;
  if (words.includes('-m') && module !== undefined) return moduleFiles(module);
  if (RUNNERS.test(name)) return words.filter((word) => SCRIPT.test(word) && !/[*?]/.test(word)).slice(0, 1);
  return program.includes('/') && !program.startsWith('/') && !program.includes('node_modules/')
    ? [posix.normalize(program)]
    : [];
}

/** Python looks for a module in the folder of the project first. */
function moduleFiles(module: string): string[] {
  const path = module.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`];
}

/** What a test runner is told to take for tests, as patterns: whatever it is called, a test is in there. */
export function testedPaths(program: string, words: readonly string[]): string[] {
  const name = posix.basename(program);
  const isNode = /^(?:node|bun|deno)$/.test(name) && (words.includes('--test') || words[0] === 'test');
  const isModule =
    name.startsWith('python') && /^(?:pytest|unittest)$/.test(words[words.indexOf('-m') + 1] ?? '');
  if (!isNode && !isModule && !TAKES_TESTS.test(name)) return [];
  return words.flatMap((word) => {
    const path = posix.normalize(word).replace(/\/$/, '');
    if (word.startsWith('-') || word.startsWith('/') || NOT_TESTS_ALONE.has(path)) return [];
    if (/[*?{[]/.test(word) || SCRIPT.test(word)) return [path];
    return word.includes('/') ? [`${path}/**`] : [];
  });
}
