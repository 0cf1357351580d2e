import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../kernel/errors.ts';
import { AdapterRegistry } from '../registry/registry.ts';
import { agentStatus, requireAgent } from './agent-status.ts';
import { isOlder } from './version.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'resolve-'));
  mkdirSync(join(root, 'project'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const registry = new AdapterRegistry();
const at = (...path: string[]) => join(root, ...path);
const options = (more: object = {}) => ({
  projectDir: at('project'),
  env: { PATH: `${at('bin')}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: at('home') },
  ...more,
});

function program(path: string, says: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "${says}"\n`);
  chmodSync(path, 0o755);
  return path;
}

function installed(version: string): string {
  const home = at('lib', 'node_modules', '@anthropic-ai', 'claude-code');
  const real = program(join(home, 'bin', 'claude.exe'), 'never asked');
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: '@anthropic-ai/claude-code', version }));
  mkdirSync(at('bin'), { recursive: true });
  symlinkSync(real, at('bin', 'claude'));
  return real;
}

describe('where an agent is', () => {
  it('is reported with its version from its package, without starting it', async () => {
    const real = installed('2.1.325');
    const status = await agentStatus(registry, 'claude', options());
    expect(status).toMatchObject({
      type: 'claude',
      displayName: 'Claude Code',
      binary: { path: at('bin', 'claude'), realPath: real, how: 'path' },
      version: { version: '2.1.325', from: 'package.json' },
      modes: ['headless', 'interactive'],
      problems: [],
    });
  });

  it('is the project first, then the search path; a path that is named beats both', async () => {
    program(at('bin', 'codex'), 'codex-cli 0.166.0');
    expect((await agentStatus(registry, 'codex', options()))?.binary?.how).toBe('path');
    program(at('project', 'node_modules', '.bin', 'codex'), 'codex-cli 0.170.0');
    expect(await agentStatus(registry, 'codex', options())).toMatchObject({
      binary: { how: 'project' },
      version: { version: '0.170.0', from: 'program' },
    });
    const own = program(at('own-codex'), '1.0.0');
    expect(await agentStatus(registry, 'codex', options({ command: own }))).toMatchObject({
      binary: { how: 'explicit', path: own },
      version: { version: '1.0.0' },
    });
  });

  it('is asked for its version in an empty folder, which goes with what it wrote there', async () => {
    const where = at('where');
    const asked = program(at('bin', 'codex'), '0.170.0');
    writeFileSync(asked, `#!/bin/sh\nls -A > ${where}; pwd >> ${where}; mkdir planted; echo 0.170.0\n`);
    expect(await agentStatus(registry, 'codex', options())).toMatchObject({
      version: { version: '0.170.0' },
    });
    const [folder = '', ...more] = readFileSync(where, 'utf8').trim().split('\n');
    expect([more, folder]).toEqual([[], expect.stringMatching(/\/ask-[^/]+$/)]);
    expect(existsSync(folder)).toBe(false);
  });

  it('is nowhere: the error says how to install it', async () => {
    const status = await agentStatus(registry, 'claude', options({ env: { PATH: at('bin') } }));
    expect(status).toMatchObject({ modes: [], problems: [{ kind: 'missing' }] });
    expect(status).not.toHaveProperty('binary');
    const required = requireAgent(registry, 'claude', options({ env: { PATH: at('bin') } }));
    await expect(required).rejects.toThrow(UsageError);
    await expect(required).rejects.toMatchObject({
      message: expect.stringContaining('"claude" is neither in') as string,
      next: { label: 'Install it with: npm install -g @anthropic-ai/claude-code' },
    });
    const chosen = requireAgent(registry, 'claude', options({ command: './nothing' }));
    await expect(chosen).rejects.toThrow('./nothing is not a program that can be run');
  });

  it('is too old: the error names both versions', async () => {
    installed('1.0.9');
    await expect(requireAgent(registry, 'claude', options())).rejects.toThrow(
      `The agent claude is version 1.0.9 (${at('bin', 'claude')}); 2.1.280 or later is needed.`,
    );
  });

  it.each([
    ['2.1.325', undefined],
    ['2.1.326', '2.1.325'],
    ['3.0.0', '2.1.325'],
  ])('version %s: newer than what was tested is told, and used all the same', async (version, tested) => {
    installed(version);
    const status = await agentStatus(registry, 'claude', options());
    expect([status?.testedVersion, status?.problems]).toEqual([tested, []]);
  });

  it('was tested with the versions that test:agents installs', () => {
    const file = new URL('../../../test/agents-real/clis/package.json', import.meta.url);
    const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object };
    const tested = registry.types().flatMap((type) => {
      const { npmPackage, testedVersion } = registry.definition(type)?.binary ?? {};
      return npmPackage === undefined ? [] : [[npmPackage, testedVersion]];
    });
    expect(Object.fromEntries(tested)).toEqual(dependencies);
  });

  it('is always here for the scripted one, and unknown for a class', async () => {
    expect(await agentStatus(registry, 'scripted', options())).toMatchObject({
      binary: { path: process.execPath },
      login: { state: 'not-needed' },
      problems: [],
    });
    const other = new AdapterRegistry();
    other.register(
      'mine',
      class {
        name = 'x';
        getLaunchConfig = () => ({ command: 'x', args: [] });
      },
    );
    expect(await agentStatus(other, 'mine', options())).toBeUndefined();
    expect(await requireAgent(other, 'mine', options())).toBeUndefined();
  });

  it('answers although a program hangs on the question for its version', async () => {
    const path = program(at('bin', 'opencode'), 'x');
    const run = () => Promise.resolve({ kind: 'timed-out', timeoutMs: 1 } as never);
    const status = await agentStatus(registry, 'opencode', options({ run }));
    expect(status).toMatchObject({ binary: { path }, problems: [] });
    expect(status).not.toHaveProperty('version');
  });
});

describe('whether an agent is logged in', () => {
  it('is seen by a variable or a file, never by a call', async () => {
    installed('2.1.325');
    const login = async (env: object) => (await agentStatus(registry, 'claude', options({ env })))?.login;
    const base = options().env;
    expect(await login(base)).toMatchObject({
      state: 'unseen',
      how: expect.stringContaining('/login') as string,
    });
    expect(await login({ ...base, ANTHROPIC_API_KEY: 'k' })).toEqual({
      state: 'seen',
      by: 'ANTHROPIC_API_KEY',
    });
    mkdirSync(at('home', '.claude'), { recursive: true });
    writeFileSync(at('home', '.claude', '.credentials.json'), '{}');
    expect(await login(base)).toEqual({ state: 'seen', by: '~/.claude/.credentials.json' });
  });

  it('follows a variable that moves the files', async () => {
    program(at('bin', 'codex'), '0.166.0');
    writeFileSync(at('auth.json'), '{}');
    const status = await agentStatus(
      registry,
      'codex',
      options({ env: { ...options().env, CODEX_HOME: root } }),
    );
    expect(status?.login).toEqual({ state: 'seen', by: '{CODEX_HOME}/auth.json' });
  });
});

it.each([
  ['1.2.3', '1.2.3', false],
  ['1.10.0', '1.9.9', false],
  ['1.9', '1.10', true],
  ['2.0.0-beta.1', '2.0.0', false],
  ['0.61.0', '1', true],
])('version %s is older than %s: %s', (version, minimum, older) => {
  expect(isOlder(version, minimum)).toBe(older);
});
