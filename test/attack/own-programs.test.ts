import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';
import { userSettings } from '../user-folder.ts';

const SECRET = 'sk-of-ada-and-nobody-else';

/** A program that leaves behind that it was started, and with which secrets. */
function program(path: string, seen: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nenv > '${seen}'\necho 2.9.9\n`);
  chmodSync(path, 0o755);
}

/** A clone that brings a program named like an agent along, and a person with a key. */
function clone() {
  const cwd = tempFolder();
  const seen = join(tempFolder(), 'seen');
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: tempFolder(),
    ANTHROPIC_API_KEY: SECRET,
    GITHUB_TOKEN: SECRET,
    LOOPWRIGHT_TRUST: undefined,
    XDG_CONFIG_HOME: tempFolder(),
  };
  return { cwd, env, seen, started: () => existsSync(seen) };
}

const AGENT = {
  nodes: { N: { entry_block: 'B', blocks: { B: { worker: 'Coder', transitions: [] } } } },
  workers: { Coder: { agent: 'claude', persona: 'x' } },
};

describe.each([['agents'], ['doctor']])('%s', (command) => {
  it('starts no program of a repository that is named like an agent, and names it', async () => {
    const { cwd, env, seen, started } = clone();
    program(join(cwd, 'node_modules/.bin/claude'), seen);
    const { stdout } = await loopwright([command], { cwd, env });
    expect(started()).toBe(false);
    expect(stdout).toContain("this repository's own");
    expect(stdout).toContain('node_modules/.bin/claude');
  });

  it('also when the search path leads into the repository, or a link does', async () => {
    const { cwd, env, seen, started } = clone();
    program(join(cwd, 'tools/claude'), seen);
    const outside = tempFolder();
    symlinkSync(join(cwd, 'tools/claude'), join(outside, 'claude'));
    for (const folder of [join(cwd, 'tools'), outside]) {
      const PATH = `${folder}:${env.PATH}`;
      const { stdout } = await loopwright([command], { cwd, env: { ...env, PATH, LOOPWRIGHT_TRUST: '1' } });
      expect(stdout).toContain("this repository's own");
    }
    expect(started()).toBe(false);
  });

  it('starts and believes no adapter of a repository that nobody trusts, not even in the place of a known agent', async () => {
    const { cwd, env, seen, started } = clone();
    program(join(cwd, '.loopwright/adapters/own'), seen);
    const adapter = {
      metadata: { displayName: 'Mine' },
      binary: { command: './own' },
      modes: { headless: { args: [], promptPosition: 'last' } },
    };
    write(cwd, { '.loopwright/adapters/mine.json': adapter, '.loopwright/adapters/claude.json': adapter });
    const { stdout } = await loopwright([command], { cwd, env });
    expect(started()).toBe(false);
    expect(stdout).toContain('not looked at before you trust it: claude, mine');
    await loopwright([command], { cwd, env: { ...env, LOOPWRIGHT_TRUST: '1' } });
    expect(started()).toBe(true);
    expect(readFileSync(seen, 'utf8')).not.toContain(SECRET);
  });

  it('starts what must be started for its version without a secret', async () => {
    const { cwd, env, seen, started } = clone();
    const outside = tempFolder();
    program(join(outside, 'codex'), seen);
    await loopwright([command], { cwd, env: { ...env, PATH: `${outside}:${env.PATH}` } });
    expect(started()).toBe(true);
    expect(readFileSync(seen, 'utf8')).not.toContain(SECRET);
  });
});

describe('a run', () => {
  const RUN = ['run', '-w', 'w.json', 'go', '--in-place', '--trust'];

  it('does not take it for the agent in a trusted project either; the person can allow it', async () => {
    const { cwd, env, seen, started } = clone();
    write(cwd, { 'w.json': AGENT });
    program(join(cwd, 'node_modules/.bin/claude'), seen);
    const { code, stderr } = await loopwright(RUN, { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toContain("claude is this repository's own ./node_modules/.bin/claude");
    expect(stderr).toContain('repositoryPrograms');
    expect(started()).toBe(false);
    userSettings(env.XDG_CONFIG_HOME, { repositoryPrograms: ['claude'] });
    await loopwright(RUN, { cwd, env });
    expect(started()).toBe(true);
  });

  it('starts the one of the machine, although tools of the project come first for commands', async () => {
    const { cwd, env, seen, started } = clone();
    write(cwd, { 'w.json': AGENT });
    program(join(cwd, 'node_modules/.bin/claude'), seen);
    const outside = tempFolder();
    const other = join(tempFolder(), 'seen');
    program(join(outside, 'claude'), other);
    await loopwright(RUN, { cwd, env: { ...env, PATH: `${outside}:${env.PATH}` } });
    expect(existsSync(other)).toBe(true);
    // The agent has its own key, and its path begins with the tools of the project.
    expect(readFileSync(other, 'utf8')).toContain(`PATH=${cwd}/node_modules/.bin`);
    expect(started()).toBe(false);
  });
});
