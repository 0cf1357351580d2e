import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder, write } from '../cli/support.ts';
import { onTerminal } from '../cli/terminal.ts';

it('on a terminal the person is asked, with what it would run; a no starts nothing, a yes is remembered', async () => {
  const cwd = tempFolder();
  write(cwd, {
    'own.js': "require('fs').writeFileSync(__dirname + '/OWNED', 'x');",
    '.loopwright/config.json': { commands: { test: ['node', 'own.js'] } },
    'w.json': {
      nodes: { N: { entry_block: 'B', blocks: { B: { worker: 'Internal:TestRunner', transitions: [] } } } },
    },
  });
  const env = { XDG_CONFIG_HOME: tempFolder(), LOOPWRIGHT_TRUST: undefined };
  const answers = (typed: string) => [['Do you trust it?', `${typed}\r`]] as const;
  const run = ['run', '-w', 'w.json', 'go', '--in-place'];
  const no = await onTerminal(run, { cwd, env, replies: answers('n') });
  expect(no.text).toContain(`You have not said yet that you trust ${cwd}`);
  expect(no.text).toContain('test: node own.js');
  expect(no.code).toBe(1);
  expect(existsSync(join(cwd, 'OWNED'))).toBe(false);
  const yes = await onTerminal(run, { cwd, env, replies: answers('y') });
  expect(yes.code).toBe(0);
  expect(existsSync(join(cwd, 'OWNED'))).toBe(true);
  const again = await onTerminal(run, { cwd, env, replies: answers('y') });
  expect(again.text).not.toContain('Do you trust it?');
  expect(again.code).toBe(0);
});
