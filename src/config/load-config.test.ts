import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { UsageError } from '../kernel/errors.ts';
import type { RosterEntry } from '../manifest/definition.ts';
import { type Config, loadConfig } from './load-config.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lw-config-'));
  await mkdir(join(dir, '.loopwright'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const settings = (text: string | object) =>
  writeFile(join(dir, '.loopwright/config.json'), typeof text === 'string' ? text : JSON.stringify(text));

function problem(): UsageError {
  try {
    loadConfig(dir, {});
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

describe('the configuration', () => {
  it('has defaults for everything', () => {
    expect(loadConfig(dir, { XDG_CONFIG_HOME: dir })).toEqual({
      providers: [
        { name: 'anthropic', kind: 'anthropic', keys: [], variable: 'ANTHROPIC_API_KEY' },
        { name: 'openai', kind: 'openai', keys: [], variable: 'OPENAI_API_KEY' },
        { name: 'google', kind: 'google', keys: [], variable: 'GEMINI_API_KEY' },
      ],
      projectDir: dir,
      stateDir: join(dir, '.loopwright'),
      commands: {},
      commandFiles: {},
      timeoutMinutes: 30,
      workers: {},
      secrets: [],
      secretValues: [],
      childEnv: { XDG_CONFIG_HOME: dir },
      budget: {},
      prices: {},
      questions: {},
      notify: {
        events: ['question', 'halted', 'failed', 'parked', 'judge', 'finished'],
        parkedMs: 30 * 60_000,
      },
      environment: {},
      sandbox: expect.objectContaining({
        level: 'standard',
        network: { agent: [], program: 'none', check: 'none', setup: 'host' },
      }) as unknown,
      worktrees: { setup: [], teardown: [], copy: [], share: [], unsaid: true },
      retention: {},
      runtime: expect.objectContaining({ warnings: [], errors: [] }) as unknown,
      user: expect.objectContaining({ tokenHosts: ['github.com'], sandboxFloor: 'standard' }) as unknown,
      refused: [],
      reports: [],
    });
  });

  it('takes what the file says, and is frozen', async () => {
    const file = {
      commands: { test: 'node t.js', lint: ['eslint', '.'] },
      timeoutMinutes: 2.5,
      workflow: 'flows/mine.json',
      workers: { Coder: { command: ['node', 'agent.mjs'], persona: 'careful' } },
      worktrees: { setup: ['npm ci', ['make', 'deps']], copy: ['.env*'], share: ['node_modules'] },
    };
    await settings({ $schema: 'x', ...file });
    const config = loadConfig(dir, {});
    expect(config).toMatchObject(file);
    expect(Object.isFrozen(config.commands)).toBe(true);
    expect(Object.isFrozen(config.workers['Coder']?.command)).toBe(true);
  });

  it('is read again and again in one process, though each is frozen', () => {
    for (let n = 0; n < 2; n++) {
      const { runtime } = loadConfig(dir, { AGENT_ROLE: 'tester', LLM_EXECUTOR: 'claude' });
      expect([runtime.values.runtime.role, runtime.values.agents.all]).toEqual(['tester', 'claude']);
    }
  });

  it('describes workers like a manifest’s roster does', () => {
    type Override = Config['workers'][string];
    expectTypeOf<Override>().toExtend<RosterEntry>();
    expectTypeOf<keyof RosterEntry>().toEqualTypeOf<keyof Override>();
  });

  it.each([
    ['{"commands": {"tset": "x"}}', /commands: the key "tset" is not known here\. Did you mean "test"\?/],
    ['{"comands": {}}', /the key "comands" is not known here\. Did you mean "commands"\?/],
    ['{"commands": {"test": 5}}', /commands\.test: must be a text or a list of texts/],
    ['{"commands": {"test": []}}', /commands\.test: /],
    ['{"timeoutMinutes": 0}', /timeoutMinutes: /],
    ['{"workers": {"A": {"mode": "fast"}}}', /workers\.A\.mode: .*"headless"/],
    ['[]', /expected object/],
    ['{"timeoutMinutes": -1, "workflow": 7}', /timeoutMinutes: [^]*workflow: /],
  ])('names file and field of %s', async (text, expected) => {
    await settings(text);
    const { message, next } = problem();
    expect(message).toContain('.loopwright/config.json');
    expect(message).toMatch(expected);
    expect(next).toMatchObject({ id: 'project.init', with: { force: true } });
  });

  it('names the place of bad JSON', async () => {
    await settings('{\n  "workflow": "x",\n}');
    expect(problem().message).toMatch(/config\.json:3:1 is not JSON/);
    await settings('{ workflow }');
    expect(problem().message).toMatch(/config\.json:1:3 is not JSON|is not JSON: .*workflow/);
    await settings('');
    expect(problem().message).toContain('is not JSON');
  });

  it('accepts a byte order mark', async () => {
    await settings('\uFEFF{"timeoutMinutes": 1}');
    expect(loadConfig(dir, {}).timeoutMinutes).toBe(1);
  });

  it('says so when the file cannot be read', async () => {
    await mkdir(join(dir, '.loopwright/config.json'));
    expect(problem().message).toMatch(/config\.json cannot be read: EISDIR/);
  });

  it('knows which values to mask', async () => {
    const env = {
      API_TOKEN: 'a-token',
      my_secret: 'b',
      SSH_KEY: 'c',
      DB_PASSWORD: '',
      HOME: '/h',
      OTHER: 'd',
    };
    expect(loadConfig(dir, env)).toMatchObject({
      secrets: ['API_TOKEN', 'DB_PASSWORD', 'SSH_KEY', 'my_secret'],
      secretValues: ['a-token', 'c', 'b'],
    });
    await settings({ secrets: ['OTHER'] });
    expect(loadConfig(dir, env).secretValues).toEqual(['a-token', 'd', 'c', 'b']);
  });

  it('a project cannot take a secret out; the person can', async () => {
    const env = { API_TOKEN: 'a-token', SSH_KEY: 'c', XDG_CONFIG_HOME: join(dir, 'person') };
    await settings({ secrets: ['!SSH_KEY'] });
    const refused = loadConfig(dir, env);
    expect(refused.secretValues).toEqual(['a-token', 'c']);
    expect(refused.refused).toEqual([expect.stringContaining('secrets: !SSH_KEY')]);
    await mkdir(join(dir, 'person/loopwright'), { recursive: true, mode: 0o700 });
    await writeFile(join(dir, 'person/loopwright/config.json'), '{"secrets": ["!SSH_KEY"]}', { mode: 0o600 });
    expect(loadConfig(dir, env).secretValues).toEqual(['a-token']);
  });

  it('gives children the environment without what would mislead them', () => {
    const env = {
      A: '1',
      NODE_TEST_CONTEXT: 'child-v8',
      GIT_DIR: '/x/.git',
      GIT_INDEX_FILE: 'i',
      GIT_AUTHOR_NAME: 'n',
    };
    expect(loadConfig(dir, env).childEnv).toEqual({ A: '1', GIT_AUTHOR_NAME: 'n' });
  });
});
