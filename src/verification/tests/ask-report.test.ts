import { describe, expect, it, test } from 'vitest';
import { askReport } from './ask-report.ts';

const asked = (line: string, scripts: { readonly [name: string]: string } = {}) => {
  const { argv, env, file } = askReport(
    { argv: line.split(' '), env: {} },
    { scripts: new Map(Object.entries(scripts)), file: 'r' },
  );
  return { line: argv.join(' '), env: Object.keys(env), file };
};

describe('CHT-01 how a command is asked for its tests', () => {
  it.each([
    ['npx vitest run', 'npx vitest run --reporter=default --reporter=json --outputFile.json=r'],
    ['yarn exec jest', 'yarn exec jest --json --outputFile=r'],
    [
      'node node_modules/mocha/bin/mocha.js',
      'node node_modules/mocha/bin/mocha.js --reporter=json --reporter-option=output=r',
    ],
  ])('%s: by words at its end', (line, expected) => {
    expect(asked(line)).toEqual({ line: expected, env: [], file: 'r' });
  });

  it.each([
    ['node --test test/', 'NODE_OPTIONS', 'r'],
    ['python3 -m pytest -q', 'PYTEST_ADDOPTS', 'r'],
    ['uv run pytest', 'PYTEST_ADDOPTS', 'r'],
    ['go test ./...', 'GOFLAGS', undefined],
  ])('%s: by a variable', (line, name, file) => {
    expect(asked(line)).toEqual({ line, env: [name], file });
  });

  test('through the scripts of a package, with what its manager needs in between', () => {
    const scripts = { test: 'npm run unit', unit: 'tsc && vitest run', mixed: 'vitest run && tsc' };
    expect(asked('npm test', scripts).line).toBe(
      'npm test -- -- --reporter=default --reporter=json --outputFile.json=r',
    );
    expect(asked('pnpm unit', scripts).line).toContain('pnpm unit --reporter=default');
    // Words at its end would reach another program.
    expect(asked('npm run mixed', scripts)).toEqual({ line: 'npm run mixed', env: [], file: undefined });
  });

  test('an unknown runner is asked for nothing; a configured report is taken', () => {
    expect(asked('make check')).toEqual({ line: 'make check', env: [], file: undefined });
    const own = askReport(
      { argv: ['make', 'check'], env: {} },
      {
        scripts: new Map(),
        file: 'r',
        reports: [{ command: 'make check', format: 'junit', file: 'out/junit.xml' }],
      },
    );
    const report = '<testsuite><testcase name="adds"/></testsuite>';
    expect(own.file).toBe('out/junit.xml');
    expect(own.read({ output: '', report, root: '/p' })).toMatchObject({
      how: 'report',
      tests: [{ name: 'adds' }],
    });
    expect(own.read({ output: 'fine', report: 'none', root: '/p' })).toEqual({ how: 'exit code' });
  });
});
