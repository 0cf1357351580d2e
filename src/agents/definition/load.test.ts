import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adaptersFolder } from '../../config/own-agents.ts';
import { projectRegistry } from '../registry/project.ts';
import { loadAdapters } from './load.ts';
import { formatAdapterProblem } from './parse.ts';

let project = '';
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'adapters-'));
  mkdirSync(adaptersFolder(project), { recursive: true });
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function write(name: string, content: unknown): string {
  const file = join(adaptersFolder(project), name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
  return file;
}

function problems(): readonly string[] {
  return loadAdapters(project).problems.map(formatAdapterProblem);
}

const AIDER = {
  metadata: { displayName: 'Aider', icon: 'A' },
  binary: { command: 'aider', install: 'pipx install aider-chat' },
  modes: {
    headless: {
      args: ['--yes-always'],
      promptPosition: 'flag',
      promptFlag: '--message',
      closeStdin: true,
      stream: 'text',
      settings: { model: { args: ['--model', '{value}'] } },
    },
  },
  states: {
    question: { pattern: '\\(Y\\)es/\\(N\\)o', description: 'asks' },
    idle: { pattern: '^> $', flags: 'gm' },
  },
  errors: [{ pattern: 'rate limit', kind: 'quota' }],
};

describe('an adapter without code (B-21)', () => {
  it('needs no name to be displayed: it is called as its file is', () => {
    const { metadata: _named, ...plain } = AIDER;
    write('aider.json', plain);
    write('other.json', { ...plain, metadata: { icon: 'O' } });
    const { registry, problems: found } = projectRegistry(project);
    expect(found).toEqual([]);
    expect(registry.metadata('aider').displayName).toBe('aider');
    expect(registry.metadata('other')).toMatchObject({ displayName: 'other', icon: 'O' });
  });

  it('is a file in the project', () => {
    write('aider.json', AIDER);
    const { registry, problems: found } = projectRegistry(project);
    expect(found).toEqual([]);
    expect(registry.metadata('aider')).toEqual({ displayName: 'Aider', icon: 'A', modes: ['headless'] });
    const adapter = registry.create('aider', { name: 'x', cwd: project, model: 'm1' });
    expect(registry.problems('aider', 'headless', { model: 'any/m1' })).toEqual([]);
    expect(adapter.getLaunchConfig('headless', 'fix')).toEqual({
      command: 'aider',
      args: ['--yes-always', '--model', 'm1', '--message', 'fix'],
      closeStdin: true,
    });
    expect(adapter.screen?.interactions.map(({ name }) => name)).toEqual(['question']);
    const idle = adapter.screen?.idle[0];
    expect([idle?.test('> '), idle?.test('> ')]).toEqual([true, true]);
    expect(registry.problems('aider', 'headless', { maxTurns: 1 })).toHaveLength(1);
  });

  it('is believed when its words match an error pattern, whatever the exit code', () => {
    write('aider.json', AIDER);
    const stream = projectRegistry(project)
      .registry.create('aider', { name: 'x', cwd: project })
      .openStream?.('headless');
    expect(stream?.push('hello', 'stdout')).toEqual([{ type: 'text', text: 'hello' }]);
    expect(stream?.push('Rate limit, try again in 2m', 'stderr')).toMatchObject([
      { kind: 'quota', resetAt: expect.any(Number) as number },
    ]);
    expect(stream?.end({ kind: 'exited', code: 0, durationMs: 1 })).toEqual([
      { type: 'result', ok: false, text: 'hello' },
    ]);
  });

  it('wins over the built-in of its name; a path that is named wins over both', () => {
    write('claude.json', { ...AIDER, binary: { command: 'mine' } });
    const other = join(project, 'other.json');
    writeFileSync(other, JSON.stringify({ ...AIDER, binary: { command: 'other' } }));
    const command = (explicit: { [type: string]: string }) =>
      projectRegistry(project, explicit)
        .registry.create('claude', { name: 'x', cwd: project })
        .getLaunchConfig('headless', 'x').command;
    expect(command({})).toBe('mine');
    expect(command({ claude: other })).toBe('other');
    rmSync(adaptersFolder(project), { recursive: true });
    expect(command({})).toBe('claude');
  });
});

describe('a broken adapter file names file, line and field (B-21)', () => {
  it('that is not JSON; the built-in stays', () => {
    const file = write('claude.json', '{\n  "metadata": { "displayName": "X" },\n  "binary" { }\n}');
    expect(problems()).toEqual([`${file}:3: This is not JSON: A colon is expected after the key "binary".`]);
    expect(projectRegistry(project).registry.has('claude')).toBe(true);
  });

  it('with a bad pattern: the state is left out, the rest is used', () => {
    const file = write('aider.json', {
      ...AIDER,
      states: { broken: { pattern: '(' }, idle: { pattern: '>' } },
    });
    const [problem] = problems();
    expect(problem).toMatch(
      new RegExp(`^${file}:\\d+: states\\.broken\\.pattern: is not a regular expression`),
    );
    const { types } = loadAdapters(project);
    expect(Object.keys(types[0]?.definition.states ?? {})).toEqual(['idle']);
  });

  it('with a bad mode: the mode is left out, the rest is used', () => {
    const modes = { ...AIDER.modes, interactive: { promptPosition: 'middle', closeStdni: true } };
    const file = write('aider.json', { ...AIDER, modes });
    const line = (key: string) =>
      JSON.stringify({ ...AIDER, modes }, undefined, 2)
        .split('\n')
        .findIndex((each) => each.includes(key)) + 1;
    expect(problems()).toEqual([
      `${file}:${line('"middle"')}: modes.interactive.promptPosition: Invalid option: expected one of "last"|"flag"`,
      `${file}:${line('"interactive"')}: modes.interactive: The key "closeStdni" is not known here. Did you mean "closeStdin"?`,
    ]);
    expect(projectRegistry(project).registry.metadata('aider').modes).toEqual(['headless']);
  });

  it('with a flag that is missing, an unknown stream, a bad error pattern', () => {
    write('aider.json', {
      ...AIDER,
      modes: { headless: { promptPosition: 'flag' }, interactive: { stream: 'claude-stream-jsn' } },
      errors: [{ pattern: '[', kind: 'quota' }, ...AIDER.errors],
    });
    expect(problems()).toEqual([
      expect.stringContaining('modes.headless.promptFlag: "promptFlag" is missing'),
      expect.stringContaining('errors.0.pattern: is not a regular expression'),
      expect.stringContaining('Did you mean "claude-stream-json"?'),
    ]);
    const { types } = loadAdapters(project);
    expect(types[0]?.definition.errors).toEqual(AIDER.errors);
    expect(types[0]?.definition.modes).toEqual({
      interactive: expect.not.objectContaining({ stream: expect.anything() as unknown }) as unknown,
    });
  });

  it('with parameters where no message could carry them', () => {
    const settings = { permissions: { all: { params: { mode: 'yolo' } } } };
    write('aider.json', { ...AIDER, modes: { headless: { ...AIDER.modes.headless, settings } } });
    expect(problems()).toEqual([
      expect.stringMatching(/modes\.headless\.settings: "params" of "all" would not be used/),
    ]);
  });

  it('with a dialogue that nobody can hold: it is left out, the rest is used', () => {
    const dialogue = (stream?: string) => ({
      ...AIDER.modes,
      dialogue: stream === undefined ? {} : { stream },
    });
    write('aider.json', { ...AIDER, modes: dialogue('text') });
    expect(problems()).toEqual([
      expect.stringMatching(/modes\.dialogue\.stream: "text" is not a stream that holds a dialogue\..* acp,/),
    ]);
    expect(Object.keys(loadAdapters(project).types[0]?.definition.modes ?? {})).not.toContain('dialogue');
    write('aider.json', { ...AIDER, modes: dialogue() });
    expect(problems()).toEqual([expect.stringContaining('modes.dialogue.stream: "stream" is missing')]);
    write('aider.json', { ...AIDER, modes: dialogue('acp') });
    expect(problems()).toEqual([]);
  });

  it('that lacks what nobody can guess is not used at all', () => {
    const file = write('aider.json', { metadata: { displayName: 'X' }, modes: {} });
    expect(problems()).toEqual([`${file}:1: binary: is missing; it must be an object`]);
    expect(loadAdapters(project).types).toEqual([]);
    write('aider.json', []);
    expect(loadAdapters(project).types).toEqual([]);
  });

  it('whose name is no type, or that cannot be read', () => {
    write('a b.json', AIDER);
    mkdirSync(join(adaptersFolder(project), 'dir.json'));
    expect(problems()).toEqual([
      expect.stringContaining('The name of the file is the type'),
      expect.stringContaining('It cannot be read'),
    ]);
  });
});
