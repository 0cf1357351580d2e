import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, ROOT, tempFolder } from './support.ts';

const COMMANDS = `
  demo init trust config budget run pipeline ui validate graph simulate
  sessions ps show watch interrupt resume retry step abort clean
  diff timeline fork rewind accept undo keep discard hold unhold conflicts worktrees
  agents doctor logs attach answer complete stop
  task board work runtimes judge restore research
`
  .trim()
  .split(/\s+/);

describe('docs/cli.md', () => {
  const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');

  it.each([
    ...COMMANDS,
    'worktrees list',
    'worktrees gc',
    'task add',
    'task import',
    'task list',
    'task edit',
    'task requeue',
  ])('%s is documented with every option it has', async (command) => {
    const { code, stdout } = await loopwright([...command.split(' '), '--help'], { cwd: tempFolder() });
    expect(code).toBe(0);
    const options = (stdout.match(/--[a-z-]+/g) ?? []).filter((option) => option !== '--help');
    expect(page).toContain(command);
    expect(options.filter((option) => !page.includes(option))).toEqual([]);
  });

  it('lists every command there is', async () => {
    const { stdout } = await loopwright(['--help'], { cwd: tempFolder() });
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) (?:\[|<| )/gm)].map((match) => match[1]);
    expect(new Set(listed)).toEqual(new Set([...COMMANDS, 'help']));
  });
});
