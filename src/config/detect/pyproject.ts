import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DetectedCommands, readText } from './found.ts';

export function fromPyproject(projectDir: string): DetectedCommands {
  const text = readText(projectDir, 'pyproject.toml');
  if (text === undefined) return {};
  const code = withoutTextBlocksAndComments(text);
  const tables = tomlTables(code);
  const has = (name: string) => tables.some((table) => table === name || table.startsWith(`${name}.`));
  const tool = (name: string, ...command: string[]) =>
    has(`tool.${name}`)
      ? { command: [...runner(projectDir), ...command], from: `pyproject.toml [tool.${name}]` }
      : undefined;
  const requiresPytest = /["']pytest\b/.test(code)
    ? { command: [...runner(projectDir), 'pytest'], from: 'pyproject.toml dependency "pytest"' }
    : undefined;
  const test = tool('pytest', 'pytest') ?? requiresPytest;
  const lint = tool('ruff', 'ruff', 'check', '--output-format=json', '.') ?? tool('mypy', 'mypy', '.');
  const build = has('build-system')
    ? { command: [...pythonModule(projectDir), 'build'], from: 'pyproject.toml [build-system]' }
    : undefined;
  return { ...(test && { test }), ...(lint && { lint }), ...(build && { build }) };
}

/** What starts a tool inside the project's own environment. */
function runner(projectDir: string): string[] {
  if (existsSync(join(projectDir, 'uv.lock'))) return ['uv', 'run'];
  if (existsSync(join(projectDir, 'poetry.lock'))) return ['poetry', 'run'];
  return [existsSync(join(projectDir, OWN_PYTHON)) ? OWN_PYTHON : 'python3', '-m'];
}

/** Of an environment that was made for the project alone. */
const OWN_PYTHON = '.venv/bin/python';

function pythonModule(projectDir: string): string[] {
  const start = runner(projectDir);
  return start.at(-1) === '-m' ? start : [...start, 'python', '-m'];
}

function tomlTables(code: string): string[] {
  const headers = code.matchAll(/^\s*\[\[?([^[\]]+)\]\]?\s*$/gm);
  return [...headers].map(([, name = '']) => name.replaceAll(/[\s"']/g, ''));
}

/** A header inside a multi-line text or behind a comment sign is no table. */
function withoutTextBlocksAndComments(text: string): string {
  return text.replaceAll(/"""[\s\S]*?"""|'''[\s\S]*?'''/g, '""').replaceAll(/#.*$/gm, '');
}
