import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderWith, realPrograms } from '../testing.ts';
import { type ChainEnd, runChain } from './run-chain.ts';

let root: string;
beforeEach(() => {
  root = folderWith({
    'a.js': 'require("fs").appendFileSync("log", "a")',
    'b.js': 'require("fs").appendFileSync("log", "b")',
    'fail.js': 'console.log("broken"); process.exit(3)',
    'packages/db/x.js': '',
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const run = async (text: string): Promise<ChainEnd & { started: string[] }> => {
  const { run: program, started } = realPrograms(root);
  return { ...(await runChain(text, { root, cwd: root, denied: [] }, program)), started };
};

describe('running a command', () => {
  it('RUN-17 CMD-03 runs the parts of a chain as processes of their own, in order', async () => {
    const end = await run('node a.js && node b.js');
    expect(end).toMatchObject({ ok: true, exitCode: 0, started: ['node a.js', 'node b.js'] });
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe('ab');
  });

  it('CMD-03 never runs what follows a failed part', async () => {
    const end = await run('node fail.js && node b.js');
    expect(end).toMatchObject({
      ok: false,
      exitCode: 3,
      failure: { code: 'failed', part: 'node fail.js', output: 'broken\n', end: 'ended with exit code 3' },
      started: ['node fail.js'],
    });
  });

  it.each(['a $(b)', 'a | b', 'a || b', 'a ; b', 'a < b', 'a > b', 'a `b`', 'source .env', 'sudo make'])(
    'CMD-01 CMD-02 CMD-05 GRD-02 %j starts no process',
    async (text) => {
      const end = await run(text);
      expect(end).toMatchObject({ ok: false, exitCode: null, started: [] });
      expect(end.failure?.end).toMatch(/^was not started/);
    },
  );

  it('CMD-01 no shell sees the words', async () => {
    const { run: program } = realPrograms(root);
    const text = async (command: string) => {
      const outcome: string[] = [];
      await runChain(command, { root, cwd: root, denied: [] }, async (request) => {
        const end = await program(request);
        outcome.push(end.output.text);
        return end;
      });
      return outcome.join('');
    };
    expect(await text('echo $HOME')).toBe('$HOME\n');
    expect(await text('echo *.js')).toBe('*.js\n');
    expect(await text('cat')).toBe('');
  });

  it('CMD-04 cd leads the rest of the chain into a folder', async () => {
    const end = await run('cd packages/db && pwd');
    expect(end).toMatchObject({ ok: true, ranIn: join(root, 'packages/db'), onlyFolder: false });
    expect(await run('cd packages && cd db && pwd')).toMatchObject({ ranIn: join(root, 'packages/db') });
    expect(await run('cd && pwd')).toMatchObject({ ranIn: root });
  });

  it.each([
    'cd .. && pwd',
    'cd a b && pwd',
    'cd missing && pwd',
    'cd a.js && pwd',
    'cd /tmp && pwd',
    'cd - && pwd',
  ])('CMD-04 %j fails as a whole, as a failure of the set-up', async (text) => {
    expect(await run(text)).toMatchObject({ ok: false, failure: { code: 'setup_issue' }, started: [] });
  });

  it('CMD-04 a link does not lead out of the project', async () => {
    symlinkSync(tmpdir(), join(root, 'out'));
    mkdirSync(join(root, 'real'));
    symlinkSync('real', join(root, 'in'));
    expect(await run('cd out && pwd')).toMatchObject({ ok: false, started: [] });
    expect(await run('cd in && pwd')).toMatchObject({ ok: true, ranIn: join(root, 'real') });
  });

  it('a program that is not there is a failure of the set-up', async () => {
    expect(await run('no-such-program-at-all --x')).toMatchObject({
      ok: false,
      exitCode: null,
      failure: { code: 'setup_issue' },
    });
  });
});
