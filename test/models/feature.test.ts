import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, wholeId, write } from '../cli/support.ts';
import { repository } from '../cli/workspace-support.ts';
import { KEY, MODEL } from './lab.ts';
import { modelApi, type Turn } from './model-api.ts';

const GOOD = 'module.exports = (a, b) => a + b;\n';

/** Lints for tabs, tests a sum, builds a copy: each can fail by what is in one file. */
function project(): string {
  const check = (why: string, condition: string) =>
    `const text = require('node:fs').readFileSync('sum.js', 'utf8');\nif (${condition}) { console.error('${why}'); process.exit(1); }\n`;
  return repository({
    'package.json': {
      name: 'x',
      private: true,
      scripts: { lint: 'node tools/lint.js', test: 'node --test', build: 'node tools/build.js' },
    },
    'tools/lint.js': check('no tabs', "text.includes('\\t')"),
    'tools/build.js': check('too long', "text.includes('LONG')"),
    'sum.js': 'module.exports = () => 0;\n',
    'README.md': '# Sums\n',
    'test/sum.test.js':
      "require('node:test')('sum', () => require('node:assert').equal(require('../sum.js')(2, 2), 4));\n",
  });
}

const reply = (...segments: object[]): Turn => ({ text: JSON.stringify({ segments }) });
const code = (fileContent: string) => ({ type: 'CODE_OUTPUT', content: { filePath: 'sum.js', fileContent } });
const page = {
  type: 'DOCUMENTATION_OUTPUT',
  content: { filePath: 'README.md', fileContent: '# Sums\n\nAdds.\n' },
};
const plan = [
  { type: 'NEW_FILES_IDENTIFIED', content: ['sum.js', 'README.md'] },
  { type: 'MODEL_OUTPUT', content: 'sum.js adds' },
];

describe('feature with a model alone', () => {
  it('WRK-20 WRK-25 WRK-28 plans, implements, validates, writes, lints, tests, builds and documents; each failure goes back to its own block', async () => {
    const api = await modelApi(({ text }) => {
      if (text.includes('name the files')) return reply(...plan);
      if (text.includes('The linter has complaints'))
        return reply(code('module.exports = (a, b) => a - b;\n'));
      if (text.includes('The last attempt did not pass')) return reply(code(`${GOOD}// LONG\n`));
      if (text.includes('The project does not build')) return reply(code(GOOD));
      if (text.includes('Bring the documentation')) return reply(page);
      if (text.includes('were refused')) return reply(code('\tmodule.exports = (a, b) => a - b;\n'));
      return reply(code('module.exports = (a, b =>\n'));
    });
    const cwd = project();
    write(cwd, { '.loopwright/config.json': {} });
    const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: KEY };
    const { stdout, stderr } = await loopwright(
      ['run', 'add numbers', '--workflow', 'feature', '--agent', MODEL, '--trust'],
      { cwd, env },
    );
    expect(stderr).toBe('');
    const blocks = [...stdout.matchAll(/^[✓✗•] +\d+ +(\S+) +(\S+)/gmu)].map(([, block, signal]) => [
      block,
      signal,
    ]);
    expect(blocks).toEqual([
      ['Plan__PlanFiles', 'SUCCESS'],
      ['Plan__UpdatePlan', 'SUCCESS'],
      ['Build__Implement', 'SUCCESS'],
      ['Build__Validate', 'VALIDATION_FAIL'],
      ['Repair__FixFiles', 'SUCCESS'],
      ['Build__Validate', 'SUCCESS'],
      ['Build__Write', 'SUCCESS'],
      ['Check__Lint', 'FAILURE'],
      ['Repair__FixLint', 'SUCCESS'],
      ['Build__Validate', 'SUCCESS'],
      ['Build__Write', 'SUCCESS'],
      ['Check__Lint', 'SUCCESS'],
      ['Check__Test', 'FAILURE'],
      ['Repair__FixTests', 'SUCCESS'],
      ['Build__Validate', 'SUCCESS'],
      ['Build__Write', 'SUCCESS'],
      ['Check__Lint', 'SUCCESS'],
      ['Check__Test', 'SUCCESS'],
      ['Check__Build', 'FAILURE'],
      ['Repair__FixBuild', 'SUCCESS'],
      ['Build__Validate', 'SUCCESS'],
      ['Build__Write', 'SUCCESS'],
      ['Check__Lint', 'SUCCESS'],
      ['Check__Test', 'SUCCESS'],
      ['Check__Build', 'SUCCESS'],
      ['Check__InspectTests', 'SUCCESS'],
      ['Docs__GenerateDocs', 'SUCCESS'],
      ['Docs__CheckDocs', 'SUCCESS'],
      ['Docs__WriteDocs', 'SUCCESS'],
      ['Check__Lint', 'SUCCESS'],
      ['Check__Test', 'SUCCESS'],
      ['Check__Build', 'SUCCESS'],
      ['Check__InspectTests', 'SUCCESS'],
      ['Docs__CheckDocs', 'NO_CHANGE'],
    ]);
    const session = wholeId(/session (\S+)/.exec(stdout)?.[1]);
    const shown = JSON.parse((await loopwright(['show', session, '--json'], { cwd, env })).stdout) as {
      worktree: string;
    };
    expect(readFileSync(join(shown.worktree, 'README.md'), 'utf8')).toContain('Adds.');
    expect(readFileSync(join(shown.worktree, 'sum.js'), 'utf8')).toBe(GOOD);
  });
});
