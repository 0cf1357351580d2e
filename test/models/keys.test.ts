import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, start, write } from '../cli/support.ts';
import { files, MODEL, project, RIGHT, run } from './lab.ts';
import { modelApi, type Received, type Turn } from './model-api.ts';

const KEYS = {
  ANTHROPIC_API_KEY: 'key-number-one',
  ANTHROPIC_API_KEY_2: 'key-number-two',
  ANTHROPIC_API_KEY_3: 'key-number-three',
};

const answers = (received: readonly Received[]) => received.map(({ key }) => key.replace('key-number-', ''));

describe('B-07 several keys of one provider', () => {
  it('take turns', async () => {
    const { api } = await run((_, count) => (count === 1 ? files(RIGHT) : { text: 'done' }), KEYS);
    const [first, second] = answers(api.received);
    expect(new Set([first, second]).size).toBe(2);
  });

  it('one that is turned away is out, one at its limit rests, the next one takes over; also in the next process', async () => {
    const byKey = (key: string): Turn | undefined => {
      if (key.endsWith('one')) return { status: 401 };
      return key.endsWith('two') ? { status: 429, headers: { 'retry-after': '3600' } } : undefined;
    };
    let given = 0;
    const { api, cwd, env, stdout } = await run(
      ({ key }) => byKey(key) ?? (given++ % 2 === 0 ? files(RIGHT) : { text: 'done' }),
      KEYS,
    );
    expect(stdout).toContain('completed');
    expect(answers(api.received).filter((key) => key === 'one').length).toBeLessThanOrEqual(1);
    expect(answers(api.received).filter((key) => key === 'two').length).toBeLessThanOrEqual(1);
    const before = api.received.length;
    const again = await loopwright(['run', 'once more', '--agent', MODEL], { cwd, env });
    expect(again.stdout).toContain('completed');
    expect([...new Set(answers(api.received.slice(before)))].at(-1)).toBe('three');
    const step = await loopwright(['show', '--step', '1', '--json'], { cwd, env });
    expect(step.stdout).toContain('ANTHROPIC_API_KEY_3');
    expect(step.stdout).not.toContain('key-number');
  });

  it('are used in their order, and every call is shown with the name of its key and how it ended', async () => {
    const api = await modelApi(({ key }, count) => {
      if (key.endsWith('one')) return { status: 401 };
      if (key.endsWith('two')) return { status: 429, headers: { 'retry-after': '3600' } };
      return count === 3 ? files(RIGHT) : { text: 'nothing to document' };
    });
    const cwd = project();
    const env = { ...KEYS, ANTHROPIC_BASE_URL: api.url };
    // A process of its own: whose turn it is is kept as long as one lives.
    const { code } = await start(['run', 'make it so', '--agent', MODEL], { cwd, env }).ended;
    expect(code).toBe(0);
    expect(answers(api.received)).toEqual(['one', 'two', 'three', 'three']);
    const { stdout } = await loopwright(['show', '--step', '1'], { cwd, env });
    expect(stdout).toMatch(
      /key: ANTHROPIC_API_KEY\n[^]*auth[^]*key: ANTHROPIC_API_KEY_2\n[^]*quota[^]*key: ANTHROPIC_API_KEY_3\n/,
    );
  });

  it('all of them at their limit: the next model of the list, then a wait until the first is free', async () => {
    const limit: Turn = { status: 429, headers: { 'retry-after': '3600' } };
    const api = await modelApi(({ wire }) => (wire === 'anthropic' ? limit : files(RIGHT)));
    const cwd = project({ Coder: { models: [MODEL, 'local/tiny'] } });
    write(cwd, {
      'home/loopwright/config.json': {
        providers: {
          local: {
            baseUrl: `${api.url}/v1`,
            keyCommand: [process.execPath, '-e', 'console.log("from-a-command")'],
          },
        },
      },
    });
    const env = { ...KEYS, ANTHROPIC_BASE_URL: api.url, XDG_CONFIG_HOME: join(cwd, 'home') };
    const { stdout } = await loopwright(['run', 'make it so'], { cwd, env });
    expect(stdout).toContain('completed');
    expect(answers(api.received.filter(({ wire }) => wire === 'anthropic')).toSorted()).toEqual([
      'one',
      'three',
      'two',
    ]);
    expect(new Set(api.received.filter(({ wire }) => wire === 'chat').map(({ key }) => key))).toEqual(
      new Set(['from-a-command']),
    );
  });

  it('nobody left to ask: the session is parked until the first key is free', async () => {
    const { stdout, code, api } = await run(
      () => ({ status: 429, headers: { 'retry-after': '3600' } }),
      KEYS,
      ['--no-wait'],
    );
    expect(stdout).toContain('parked');
    expect(stdout).toContain('every key for anthropic is at its limit');
    expect(code).toBe(2);
    expect(api.received).toHaveLength(3);
  });

  it('nobody but us gets those that are numbered, and a project cannot say where they are sent', async () => {
    const { stdout, cwd, env } = await run(
      ({ text }) =>
        text.includes('Bring the documentation')
          ? { text: 'done' }
          : files(`console.log(JSON.stringify(process.env));\n${RIGHT}`),
      KEYS,
    );
    expect(stdout).toContain('completed');
    const log = await loopwright(['logs'], { cwd, env });
    expect(log.stdout).toContain('PATH');
    expect(log.stdout).not.toContain('ANTHROPIC_API_KEY');
    expect(log.stdout).not.toContain('key-number');
    write(cwd, {
      '.loopwright/config.json': { providers: { anthropic: { baseUrl: 'https://evil.example' } } },
    });
    const refused = await loopwright(['run', 'again', '--agent', MODEL], { cwd, env });
    expect(refused.stderr).toContain('"providers" is not known here');
  });
});
