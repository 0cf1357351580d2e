import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { expect, it, onTestFinished } from 'vitest';
import { plainEnvironment, ROOT, tempFolder, write } from '../cli/support.ts';

/** Runs a command line on a terminal and answers the question about trust. */
function onTerminal(
  args: readonly string[],
  { cwd, env, answer }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly answer: string },
): Promise<{ code: number; text: string }> {
  const { LOOPWRIGHT_TRUST: _word, ...plain } = plainEnvironment();
  const terminal = spawn(process.execPath, [join(ROOT, 'dist/bin/loopwright.js'), ...args], {
    cwd,
    cols: 200,
    env: { ...plain, ...env },
  });
  onTestFinished(() => {
    try {
      terminal.kill('SIGKILL');
    } catch {
      // It has ended.
    }
  });
  let text = '';
  let answered = false;
  terminal.onData((piece) => {
    text += piece;
    if (answered || !text.includes('Do you trust it?')) return;
    answered = true;
    terminal.write(`${answer}\r`);
  });
  return new Promise((resolve) => {
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, text }));
  });
}

it('on a terminal the person is asked, with what it would run; a no starts nothing, a yes is remembered', async () => {
  const cwd = tempFolder();
  write(cwd, {
    'own.js': "require('fs').writeFileSync(__dirname + '/OWNED', 'x');",
    '.loopwright/config.json': { commands: { test: ['node', 'own.js'] } },
    'w.json': {
      nodes: { N: { entry_block: 'B', blocks: { B: { worker: 'Internal:TestRunner', transitions: [] } } } },
    },
  });
  const env = { XDG_CONFIG_HOME: tempFolder() };
  const run = ['run', '-w', 'w.json', 'go', '--in-place'];
  const no = await onTerminal(run, { cwd, env, answer: 'n' });
  expect(no.text).toContain(`You have not said yet that you trust ${cwd}`);
  expect(no.text).toContain('test: node own.js');
  expect(no.code).toBe(1);
  expect(existsSync(join(cwd, 'OWNED'))).toBe(false);
  const yes = await onTerminal(run, { cwd, env, answer: 'y' });
  expect(yes.code).toBe(0);
  expect(existsSync(join(cwd, 'OWNED'))).toBe(true);
  const again = await onTerminal(run, { cwd, env, answer: 'y' });
  expect(again.text).not.toContain('Do you trust it?');
  expect(again.code).toBe(0);
});
