import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, wholeId, write } from '../cli/support.ts';
import { CHECKED_BY, cheatedProject, FIXED } from './project.ts';

const GOAL = 'make sum add its numbers';
const fixes = `write('src/sum.mjs', ${JSON.stringify(FIXED)});`;

const ENV = { REPO_MODE: 'local-git', LLM_EXECUTOR: 'cheat', WORKER_VERIFY_RECOVERY_ATTEMPTS: '1' };

/** What a task comes to whose agent acts like that. */
async function taskBy(act: string): Promise<string> {
  const place = { cwd: cheatedProject({ act }), env: { ...ENV, WORKER_NO_CHANGE_RECOVERY_ATTEMPTS: '1' } };
  const added = await loopwright(['task', 'add', GOAL, '--command', CHECKED_BY, '--json'], place);
  const { id } = JSON.parse(added.stdout) as { id: string };
  await loopwright(['work', '--once'], place);
  return (await loopwright(['show', id], place)).stdout;
}

/** One that has ended and waits for its parent to look is not running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Agents that the checks themselves, the limits or the walls of a run stop. */
describe('an agent that does not do what it says', () => {
  it('does nothing: nothing is completed and nothing offered', async () => {
    const cwd = cheatedProject({ act: '' });
    const { code, stdout } = await loopwright(['run', GOAL], { cwd });
    expect([code, stdout]).toEqual([2, expect.stringContaining('halted')]);
    expect(stdout).not.toContain(' accept ');
  });

  it('makes the same wrong fix for ever: a limit stops it before the money is gone', async () => {
    const cwd = cheatedProject({ act: `write('src/sum.mjs', ${JSON.stringify(FIXED.replace('+', '*'))});` });
    const { code, stdout } = await loopwright(['run', GOAL], { cwd });
    expect([code, stdout]).toEqual([2, expect.stringContaining('has failed in the same way')]);
    expect(stdout).not.toContain(' accept ');
  });

  it('breaks another module while it fixes this one: red is red', async () => {
    const cwd = cheatedProject({
      act: `write('src/sum.mjs', ${JSON.stringify(FIXED.replace('a * 2', 'a * 3'))});`,
    });
    const { code, stdout } = await loopwright(['run', GOAL], { cwd });
    expect([code, stdout]).toEqual([2, expect.stringMatching(/doubles/)]);
  });

  it('is green only now and then: flaky is neither a repair nor a proof', async () => {
    const folder = tempFolder();
    const counted = `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(join(folder, 'runs'))}, '.');
const wrong = readFileSync(${JSON.stringify(join(folder, 'runs'))}, 'utf8').length % 2;
export const sum = (a, b) => a + b + wrong;
export const twice = (a) => a * 2;
`;
    const cwd = cheatedProject({ act: `write('src/sum.mjs', ${JSON.stringify(counted)});` });
    const { code, stdout } = await loopwright(['run', GOAL], { cwd });
    expect([code, stdout]).toEqual([2, expect.stringContaining('on the very same files')]);
    expect(stdout).not.toContain('completed');
  });

  it('leaves a process behind that undoes the work: it ends with its step', async () => {
    const folder = tempFolder();
    const pid = join(folder, 'pid');
    const code = `require('fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const wait = `while (!existsSync(${JSON.stringify(pid)})) await new Promise((go) => setImmediate(go));`;
    const act = `const { existsSync } = await import('node:fs'); daemon(${JSON.stringify(code)}); ${wait} ${fixes}`;
    const cwd = cheatedProject({ act });
    const ended = await loopwright(['run', GOAL], { cwd });
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('completed')]);
    expect(isRunning(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  it('works while another session tries its trees: those are ours, so nobody has tampered', async () => {
    const act = `write(process.argv[2].replace(/act\\.mjs$/, 'candidates/other/f.txt'), 'of another session'); ${fixes}`;
    const cwd = cheatedProject({ act });
    const { code, stdout } = await loopwright(['run', GOAL], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
  });

  it('changed a file that a person opened later, by name: that is told, and stops nobody', async () => {
    const cwd = cheatedProject({
      act: `${fixes} write('vitest.config.mjs', 'export default { a: 1 };\\n');`,
      files: { 'vitest.config.mjs': 'export default {};\n' },
    });
    const halted = await loopwright(['run', GOAL], { cwd });
    expect([halted.code, halted.stdout]).toEqual([
      2,
      expect.stringContaining('vitest.config.mjs (protected'),
    ]);
    const id = wholeId(/^session (\w+)$/m.exec(halted.stdout)?.[1]);
    const { code, stdout } = await loopwright(['resume', id, '--allow', 'vitest.config.mjs'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
    expect(stdout).toMatch(/note: vitest\.config\.mjs: .*\(test_settings_changed\)/);
  });

  it('rewrites an installed package: the checks ran with what is not delivered', async () => {
    const cwd = cheatedProject({
      act: `write('node_modules/plus/index.js', 'export const plus = (a, b) => a + b;\\n'); write('src/note.mjs', '// done\\n');`,
      files: {
        'src/sum.mjs': `import { plus } from 'plus';\nexport const sum = plus;\nexport const twice = (a) => a * 2;\n`,
      },
    });
    write(cwd, {
      'node_modules/plus/package.json': { name: 'plus', type: 'module', main: 'index.js' },
      'node_modules/plus/index.js': 'export const plus = (a, b) => a - b;\n',
      '.loopwright/config.json': {
        workers: { Coder: { agent: 'cheat', permissions: 'edits' } },
        worktrees: { share: ['node_modules'] },
      },
    });
    const { code, stdout } = await loopwright(['run', GOAL], { cwd });
    expect([code, stdout]).toEqual([2, expect.stringContaining('(package_changed)')]);
    expect(existsSync(join(cwd, 'src/note.mjs'))).toBe(false);
  });
});

describe('a task whose agent does not do what it says', () => {
  const wrong = (text: string) => `write('src/sum.mjs', ${JSON.stringify(text)});`;

  it.each([
    ['does nothing', '', /blocked \(needs_rework\), (?:no_actionable_changes|verification_failed)/],
    [
      'makes the same wrong fix for ever',
      wrong(FIXED.replace('+', '*')),
      /blocked \(needs_rework\), verification_failed/,
    ],
    [
      'breaks another module',
      wrong(FIXED.replace('a * 2', 'a * 3')),
      /blocked \(needs_rework\), verification_failed/,
    ],
  ])('%s: blocked, and never done', async (_name, act, state) => {
    expect(await taskBy(act)).toMatch(state);
  });
});
