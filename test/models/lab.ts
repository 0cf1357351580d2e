import { loopwright, wholeId } from '../cli/support.ts';
import { repository } from '../cli/workspace-support.ts';
import { modelApi, type Received, type Turn } from './model-api.ts';

export const RIGHT = 'module.exports = (a, b) => a + b;\n';
export const WRONG = 'module.exports = (a, b) => a - b;\n';
export const KEY = 'sk-loopback-0123456789';
export const MODEL = 'anthropic/claude-test';
export const TESTED = 'two and two is four';

/** The answer of a model that says what a file is to hold. */
export function files(fileContent: string): Turn {
  const content = { filePath: 'sum.js', fileContent };
  return { text: JSON.stringify({ segments: [{ type: 'CODE_OUTPUT', content }] }) };
}

/** The answer of a model that says what a page of documentation is to hold. */
export function docs(fileContent: string, filePath = 'README.md'): Turn {
  const content = { filePath, fileContent };
  return { text: JSON.stringify({ segments: [{ type: 'DOCUMENTATION_OUTPUT', content }] }) };
}

/** A project whose test fails until two and two is four, with nobody installed who could mend it. */
export function project(workers?: object): string {
  return repository({
    'package.json': { name: 'x', private: true, scripts: { test: 'node --test' } },
    'sum.js': WRONG,
    'test/sum.test.js': `const test = require('node:test');
const assert = require('node:assert');
test('${TESTED}', () => assert.equal(require('../sum.js')(2, 2), 4));
`,
    ...(workers === undefined ? {} : { 'loopwright.json': { workers } }),
  });
}

export async function run(
  answer: (request: Received, count: number) => Turn,
  more: NodeJS.ProcessEnv = {},
  args: readonly string[] = [],
) {
  const api = await modelApi(answer);
  const cwd = project();
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: KEY, ...more };
  const ended = await loopwright(['run', 'make two and two four', '--agent', MODEL, ...args], { cwd, env });
  const session = wholeId(/session (\S+)/.exec(ended.stdout)?.[1]);
  return { ...ended, api, cwd, env, session };
}
