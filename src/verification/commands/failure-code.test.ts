import { describe, expect, it } from 'vitest';
import { failureCode } from './failure-code.ts';

const exit = (code: number) => ({ kind: 'exited', code }) as const;

describe('why a command failed', () => {
  it.each([
    ['missing_script', 'npm run x', 'npm error Missing script: "x"'],
    ['missing_script', 'pnpm x', ' ERR_PNPM_NO_SCRIPT  Missing script: x'],
    [
      'missing_script',
      'npm test',
      "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/a/package.json'",
    ],
    ['missing_script', 'yarn x', 'error Command "x" not found.'],
    ['no_test_files', 'vitest run', 'No test files found, exiting with code 1'],
    ['no_test_files', 'jest', 'No tests found, exiting with code 1'],
    ['no_test_files', 'npm test', 'Error: no test specified'],
    ['no_test_files', 'pytest', 'collected 0 items'],
    ['missing_make_target', 'make x', "make: *** No rule to make target 'x'.  Stop."],
    ['setup_issue', 'npm test', 'sh: 1: vitest: not found'],
    ['setup_issue', 'node x.js', "Error: Cannot find module 'react'"],
    ['setup_issue', 'pnpm exec vitest', ' ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "vitest" not found'],
    ['setup_issue', 'npx vitest', 'npm error could not determine executable to run'],
    ['setup_issue', 'python3 -m pytest', '/usr/bin/python3: No module named pytest'],
    ['setup_issue', 'npm ci', 'npm error code EBADENGINE\nnpm error engine Unsupported engine'],
    ['setup_issue', 'pnpm test', ' ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment'],
    ['setup_issue', 'yarn test', 'error a@1.0.0: The engine "node" is incompatible with this module.'],
    [
      'setup_issue',
      'npm test',
      'Error [ERR_REQUIRE_ESM]: require() of ES Module /p/node_modules/chalk/index.js from /p/a.js not supported.',
    ],
    [
      'setup_issue',
      'npm test',
      "/p/node_modules/lib/index.js:1\nimport x from 'y';\n^^^^^^\n\nSyntaxError: Cannot use import statement outside a module",
    ],
    [
      'failed',
      'npm test',
      "/p/src/a.js:1\nimport x from 'y';\nSyntaxError: Cannot use import statement outside a module",
    ],
    ['failed', 'npm test', 'npm warn EBADENGINE Unsupported engine\nAssertionError: 1 is not 2'],
    ['failed', 'node x.js', "Error: Cannot find module './react'"],
    ['failed', 'npm test', 'AssertionError: expected 1 to be 2'],
  ] as const)('B-12 %s: `%s` said %j', (code, command, output) => {
    expect(failureCode(command, exit(1), output, undefined)).toBe(code);
  });

  it('B-12 looking for a product right after a clean is a matter of the order', () => {
    expect(failureCode('test -f dist/a.js', exit(1), '', 'make clean')).toBe('sequence_issue');
    expect(failureCode('test -f dist/a.js', exit(1), '', 'make')).toBe('failed');
  });

  it('B-12 goes by how it ended where it said nothing', () => {
    expect(failureCode('x', exit(127), '', undefined)).toBe('setup_issue');
    const error = { code: 'ENOENT', message: 'x' };
    expect(failureCode('x', { kind: 'not-started', error }, '', undefined)).toBe('setup_issue');
    expect(failureCode('x', { kind: 'timed-out', timeoutMs: 1 }, '', undefined)).toBe('failed');
  });
});
