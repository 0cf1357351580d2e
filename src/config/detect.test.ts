import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTargets } from './detect/makefile.ts';
import { detectCommands } from './detect.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lw-detect-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const put = (name: string, content: string | object = '') =>
  writeFile(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
const commands = () =>
  Object.fromEntries(
    Object.entries(detectCommands(dir)).map(([kind, found]) => [kind, found.command.join(' ')]),
  );

describe('WRK-04 commands of a package.json', () => {
  it('are its scripts', async () => {
    await put('package.json', { scripts: { test: 'vitest', build: 'tsc', start: 'node .' } });
    expect(detectCommands(dir)).toEqual({
      test: { command: ['npm', 'run', 'test'], from: 'package.json script "test"' },
      build: { command: ['npm', 'run', 'build'], from: 'package.json script "build"' },
    });
  });

  it.each([
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
    ['package-lock.json', 'npm'],
  ])('with %s are run by %s', async (lockfile, manager) => {
    await put('package.json', { scripts: { test: 'x' } });
    await put(lockfile);
    expect(commands()).toEqual({ test: `${manager} run test` });
  });

  it('are run by the declared package manager first', async () => {
    await put('package.json', { packageManager: 'pnpm@9.1.0+sha512.x', scripts: { test: 'x' } });
    await put('yarn.lock');
    expect(commands()).toEqual({ test: 'pnpm run test' });
  });

  it('leave out npm’s placeholder and what is no script', async () => {
    const placeholder = 'echo "Error: no test specified" && exit 1';
    await put('package.json', { scripts: { test: placeholder, lint: 7, build: ' ' } });
    expect(detectCommands(dir)).toEqual({});
  });

  it.each([
    ['eslint .', 'npm run --silent lint -- --format=json'],
    ['eslint', 'npm run --silent lint -- --format=json'],
    ['eslint src -f stylish', 'npm run lint'],
    ['eslint . && tsc', 'npm run lint'],
    ['biome check', 'npm run lint'],
  ])('WRK-25 ask ESLint alone for JSON: %s', async (lint, expected) => {
    await put('package.json', { scripts: { lint } });
    expect(commands()).toEqual({ lint: expected });
  });

  it.each(['{', '[]', '{"scripts": []}', 'null'])('are none in %s', async (text) => {
    await put('package.json', text);
    expect(detectCommands(dir)).toEqual({});
  });
});

describe('WRK-04 commands of a Makefile', () => {
  it('are its targets', async () => {
    await put('Makefile', '.PHONY: test lint build\ntest: deps\n\tgo test\nlint:\n\tx\n');
    expect(detectCommands(dir)).toEqual({
      test: { command: ['make', 'test'], from: 'Makefile target "test"' },
      lint: { command: ['make', 'lint'], from: 'Makefile target "lint"' },
    });
  });

  it('take "check" for a missing "test"', async () => {
    await put('makefile', 'check build::\n\ttrue\n');
    expect(commands()).toEqual({ test: 'make check', build: 'make build' });
  });

  it.each([
    ['test: a b', ['test']],
    ['a test b: c', ['a', 'test', 'b']],
    ['a \\\n  test: c', ['a', 'test']],
    ['test::', ['test']],
    ['test: # comment', ['test']],
    ['test : x ; echo', ['test']],
    ['test = 1', []],
    ['test := 1', []],
    ['test ::= 1', []],
    ['test ?= a:b', []],
    ['test: FLAGS = -v', []],
    ['test: FLAGS := -v', []],
    ['#test: x', []],
    ['\ttest: x', []],
    ['.PHONY: test', []],
    ['%.o: %.c', []],
    ['$(NAME): x', []],
    ['define test\ntest: x\nendef\nlint:', ['lint']],
    ['ifeq ($(A),b)\ntest:\nendif', ['test']],
    ['include test.mk', []],
  ])('read %j', (text, targets) => {
    expect([...makeTargets(text)]).toEqual(targets);
  });
});

describe('WRK-04 commands of other tool chains', () => {
  it('Python by the tables of pyproject.toml', async () => {
    await put('pyproject.toml', '[build-system]\n[tool.pytest.ini_options]\n[tool.ruff.lint]\n[tool.mypy]\n');
    expect(commands()).toEqual({
      test: 'python3 -m pytest',
      lint: 'python3 -m ruff check --output-format=json .',
      build: 'python3 -m build',
    });
    await put('uv.lock');
    expect(commands()).toEqual({
      test: 'uv run pytest',
      lint: 'uv run ruff check --output-format=json .',
      build: 'uv run python -m build',
    });
  });

  it('Python by its dependencies, and not by comments or texts', async () => {
    await put(
      'pyproject.toml',
      '[project]\nname = "x"\ndescription = """\n[tool.ruff]\n"""\n# [tool.mypy] "pytest"\n',
    );
    expect(commands()).toEqual({});
    await put('pyproject.toml', '[dependency-groups]\ndev = ["pytest>=8"]\n[tool.mypy]\n');
    expect(commands()).toEqual({ test: 'python3 -m pytest', lint: 'python3 -m mypy .' });
  });

  it('Cargo and Go', async () => {
    await put('go.mod', 'module x');
    expect(commands()).toEqual({ test: 'go test ./...', lint: 'go vet ./...', build: 'go build ./...' });
    await put('Cargo.toml', '[package]');
    expect(commands()).toEqual({
      test: 'cargo test',
      lint: 'cargo clippy -- -D warnings',
      build: 'cargo build',
    });
  });

  it('what the project wrote down comes first, each command on its own', async () => {
    await put('go.mod', 'module x');
    await put('Makefile', 'lint:\n\tx\nbuild:\n\tx\n');
    await put('package.json', { scripts: { build: 'tsc' } });
    expect(commands()).toEqual({ test: 'go test ./...', lint: 'make lint', build: 'npm run build' });
  });

  it('nothing in an empty folder', () => {
    expect(detectCommands(dir)).toEqual({});
  });
});
