import { rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderWith, realPrograms } from '../testing.ts';
import { commandEnvironment } from './command-env.ts';

let root: string;
beforeEach(() => {
  root = folderWith({
    '.env': 'A=1\nPATH=/bad\nHOME=/bad\nLD_PRELOAD=/bad\nQUOTED="x y"\n',
    'packages/p/x': '',
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the environment of a command', () => {
  it('CMD-09 is clean of our own settings, has those of the project, and finds its tools first', async () => {
    const path = ['/other/node_modules/.bin', '/usr/bin', '/bin', join(process.execPath, '..')].join(
      delimiter,
    );
    const parent = {
      PATH: path,
      HOME: '/home/me',
      WORKER_MODEL: 'x',
      ANTHROPIC_API_KEY: 'k',
      AGENT_ROLE: 'tester',
    };
    const { run } = realPrograms(root, parent);
    const script = 'console.log(JSON.stringify(process.env))';
    const cwd = join(root, 'packages/p');
    const { output } = await run({ argv: ['node', '-e', script], env: { OWN: '2' }, cwd });
    const env = JSON.parse(output.text) as NodeJS.ProcessEnv;
    expect(env).toMatchObject({ A: '1', QUOTED: 'x y', OWN: '2', HOME: '/home/me', CI: '1' });
    expect(env).not.toHaveProperty('WORKER_MODEL');
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY');
    expect(env).not.toHaveProperty('AGENT_ROLE');
    expect(env).not.toHaveProperty('LD_PRELOAD');
    const folders = env['PATH']?.split(delimiter) ?? [];
    expect(folders.slice(0, 2)).toEqual([join(cwd, 'node_modules/.bin'), join(root, 'node_modules/.bin')]);
    expect(folders).not.toContain('/other/node_modules/.bin');
    expect(folders).not.toContain('/bad');
  });

  it('CMD-09 a project without an .env is no problem', () => {
    rmSync(join(root, '.env'));
    expect(commandEnvironment({ PATH: '/bin' }, root)).toMatchObject({ CI: '1' });
  });
});
