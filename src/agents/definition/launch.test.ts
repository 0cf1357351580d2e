import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdapterOptions, ExecutionMode, Permissions } from '../adapter.ts';
import { TextStream } from '../adapters/text-stream.ts';
import { AdapterRegistry } from '../registry/registry.ts';
import { definedAdapter } from './defined-adapter.ts';
import { LONGEST_PROMPT_BYTES } from './prompt.ts';
import { definitionShape } from './shape.ts';

const registry = new AdapterRegistry();
const CLIS = ['claude', 'codex', 'gemini', 'opencode'];
/** Those whose headless prompt is an argument. */
const PROMPTED = CLIS.filter((type) => type !== 'codex');

function launch(
  type: string,
  mode: ExecutionMode,
  prompt?: string,
  options: Partial<AdapterOptions> = {},
  extraArgs: readonly string[] = [],
) {
  return registry
    .create(type, { name: type, cwd: '/project', ...options })
    .getLaunchConfig(mode, prompt, extraArgs);
}

/** All that a CLI is told to begin with: how it is started, and what is written to it until it has its prompt. */
function told(type: string, mode: ExecutionMode, options: Partial<AdapterOptions>, prompt = 'x'): string {
  const adapter = registry.create(type, { name: type, cwd: '/project', ...options });
  const config = JSON.stringify(adapter.getLaunchConfig(mode, prompt)).replaceAll('\\', '');
  const stream = adapter.openStream?.(mode);
  const written = [stream?.opening ?? ''];
  for (const id of [1, 2, 3]) {
    const params = (JSON.parse(written.at(-1)?.split('\n').at(-2) ?? '{}') as { params?: object }).params;
    const result = { sessionId: 's', thread: { id: 's' }, ...params };
    stream?.push(JSON.stringify({ id, result }), 'stdout');
    written.push(stream?.outgoing?.() ?? '');
  }
  return `${config}\n${written.join('')}`;
}

describe('launch configs of the built-in agents', () => {
  it('name the command (ADP-02)', () => {
    for (const type of CLIS) expect(launch(type, 'interactive', 'Hi').command).toBe(type);
  });

  it.each([
    ['claude', 'headless', ['--', 'Hi']],
    ['claude', 'interactive', ['--', 'Hi']],
    ['codex', 'interactive', ['--', 'Hi']],
    ['gemini', 'headless', ['--prompt=Hi']],
    ['gemini', 'interactive', ['--prompt-interactive=Hi']],
    ['opencode', 'interactive', ['--prompt=Hi']],
    ['scripted', 'headless', ['--', 'Hi']],
    ['scripted', 'interactive', ['--', 'Hi']],
  ] as const)('ADP-04 %s %s takes its prompt as %j, once and last', (type, mode, end) => {
    const { args } = launch(type, mode, 'Hi');
    expect(args.slice(-end.length)).toEqual(end);
    expect(args.filter((word) => word.includes('Hi'))).toHaveLength(1);
    expect(launch(type, mode).args.join(' ')).not.toContain('Hi');
  });

  it('ADP-04 ADP-05 by decision a headless codex has no prompt among its arguments: it is a message on its channel', () => {
    expect(launch('codex', 'headless', 'Hi').args.join(' ')).not.toContain('Hi');
    expect(told('codex', 'headless', {}, 'Hi')).toContain('"text":"Hi"');
  });

  it('differ between the modes (ADP-03)', () => {
    for (const type of CLIS) {
      expect(launch(type, 'headless', 'Hi').args).not.toEqual(launch(type, 'interactive', 'Hi').args);
    }
  });

  it('are base arguments, settings, what the caller adds, and the trimmed prompt last (AMB-50)', () => {
    expect(
      launch('claude', 'headless', '  fix it \n', { model: 'opus', maxTurns: 3 }, ['--effort', 'low']).args,
    ).toEqual([
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      '--model',
      'opus',
      '--permission-mode',
      'acceptEdits',
      '--max-turns',
      '3',
      '--effort',
      'low',
      '--',
      'fix it',
    ]);
    expect(launch('codex', 'interactive', 'go', { resume: { id: 't1' } }, ['-c', 'x=1']).args).toEqual([
      '--no-daemon',
      '-s',
      'workspace-write',
      '-a',
      'on-request',
      '-c',
      'x=1',
      'resume',
      't1',
      '--',
      'go',
    ]);
    expect(launch('codex', 'headless', 'go', {}, ['-c', 'x=1']).args).toEqual(['app-server', '-c', 'x=1']);
    const fork = { resume: { id: 's1' }, fork: true } as const;
    expect(launch('claude', 'headless', 'go', fork).args).toEqual(
      expect.arrayContaining(['--resume', 's1', '--fork-session']),
    );
    expect(launch('opencode', 'headless', 'go', { resume: { id: 's1' } }).args).toEqual([
      'run',
      '--format',
      'json',
      '--print-logs',
      '--log-level',
      'INFO',
      '--dir',
      '/project',
      '-s',
      's1',
    ]);
    expect(launch('gemini', 'headless', 'go').args.at(-1)).toBe('--prompt=go');
    expect(launch('codex', 'interactive').args).toEqual([
      '--no-daemon',
      '-s',
      'workspace-write',
      '-a',
      'on-request',
    ]);
  });

  it('close the input of headless runs, because opencode waits for its end, but not of a dialogue', () => {
    for (const type of PROMPTED) expect(launch(type, 'headless', 'x').closeStdin).toBe(true);
    for (const type of CLIS) {
      expect(launch(type, 'interactive', 'x').closeStdin).toBeUndefined();
      expect(launch(type, 'headless', 'x', { permissions: 'ask' }).closeStdin).toBeUndefined();
    }
  });

  it('map permissions to what each CLI calls them; nothing is skipped unless all is asked for', () => {
    const skipping = /danger|yolo|"\*":"allow"/;
    for (const type of CLIS) {
      for (const mode of ['headless', 'interactive'] as const) {
        expect(told(type, mode, {})).not.toMatch(skipping);
        expect(told(type, mode, { permissions: 'all' })).toMatch(skipping);
      }
    }
    expect(launch('opencode', 'headless', 'x').env?.['OPENCODE_PERMISSION']).toContain('"bash":"deny"');
    // Research reads: the web is among what is read.
    for (const mode of ['headless', 'interactive'] as const)
      expect(told('opencode', mode, { permissions: 'read' })).toContain('"webfetch":"allow"');
  });

  it('ADP-04 ADP-05 by decision a headless opencode has no prompt among its arguments: it would change numbers in it', () => {
    const { args, input } = launch('opencode', 'headless', 'fix 2 of 007');
    expect(args.join(' ')).not.toContain('007');
    expect(input).toBe('fix 2 of 007');
    expect(launch('claude', 'headless', 'fix 2').input).toBeUndefined();
  });

  it('hold the prompt, but for those of a dialogue: there it is a message (ADP-05)', () => {
    for (const type of CLIS) {
      expect(launch(type, 'headless', 'secret', { permissions: 'ask' }).args.join(' ')).not.toContain(
        'secret',
      );
      expect(told(type, 'headless', { permissions: 'ask' }, 'secret')).toContain('secret');
    }
    for (const type of PROMPTED) {
      const { args, input = '' } = launch(type, 'headless', 'secret');
      expect(`${args.join(' ')} ${input}`).toContain('secret');
      const plain = registry.create(type, { name: 'c', cwd: '/project' });
      plain.getLaunchConfig('headless', 'secret');
      expect(plain.openStream?.('headless')?.opening).toBeUndefined();
    }
  });

  it('set what a setting needs in the environment only as root', () => {
    const { env } = launch('claude', 'headless', 'x', { permissions: 'all' });
    expect(env?.['IS_SANDBOX']).toBe(process.getuid?.() === 0 ? '1' : undefined);
    expect(launch('claude', 'headless', 'x').env).toBeUndefined();
  });

  it('keep the conversations of gemini: its own clean-up is off where a run has a folder', () => {
    const { env, files } = launch('gemini', 'headless', 'x', { filesDir: '/runs/7' });
    expect(env?.['GEMINI_CLI_SYSTEM_DEFAULTS_PATH']).toBe('/runs/7/gemini-defaults.json');
    expect(files?.[0]).toMatchObject({ path: '/runs/7/gemini-defaults.json' });
    expect(JSON.parse(files?.[0]?.content ?? '')).toEqual({
      general: { sessionRetention: { enabled: false } },
    });
    const without = launch('gemini', 'headless', 'x');
    expect(without.files).toBeUndefined();
    expect(without.env).not.toHaveProperty('GEMINI_CLI_SYSTEM_DEFAULTS_PATH');
  });

  it('start the program that was found or chosen', () => {
    expect(launch('claude', 'headless', 'x', { command: '/opt/claude' }).command).toBe('/opt/claude');
  });

  it('are safe with any prompt: it is one whole argument and never an option', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PROMPTED),
        fc.constantFrom('', '-', '--'),
        fc.string({ minLength: 1 }),
        (type, dash, words) => {
          const prompt = `${dash}${words}`;
          const { args, input } = launch(type, 'headless', prompt);
          const trimmed = prompt.trim();
          const whole = type === 'gemini' ? [`--prompt=${trimmed}`] : ['--', trimmed];
          if (trimmed === '') expect(args).not.toContain('--');
          else if (type === 'opencode') expect(input).toBe(trimmed);
          else expect(args.slice(-whole.length)).toEqual(whole);
        },
      ),
    );
  });
});

describe('a prompt that no argument can hold', () => {
  const long = 'é'.repeat(100 * 1024);

  it('goes over standard input, where the CLI reads that', () => {
    for (const type of CLIS.filter((each) => each !== 'codex')) {
      const { args, input, files } = launch(type, 'headless', long, { filesDir: '/runs/7' });
      expect(input).toBe(long);
      expect(files?.some(({ path }) => path.includes('prompt-')) ?? false).toBe(false);
      expect(Math.max(...args.map((arg) => Buffer.byteLength(arg)))).toBeLessThan(1024);
    }
  });

  it('elsewhere goes into a file that the agent is told to read', () => {
    for (const [type, mode] of [
      ['scripted', 'headless'],
      ['claude', 'interactive'],
    ] as const) {
      const { args, files, input } = launch(type, mode, long, { filesDir: '/runs/7' });
      const file = files?.find(({ path }) => path.startsWith('/runs/7/prompt-'));
      expect(input).toBeUndefined();
      expect(file?.path).toMatch(/prompt-[0-9a-f]{12}\.md$/);
      expect(file?.content).toBe(`${long}\n`);
      expect(args.join(' ')).toContain(`Read the file ${file?.path} to its end`);
    }
    expect(launch('claude', 'interactive', long, { filesDir: '/runs/7' }).args).toContain('--add-dir');
  });

  it('is refused before anything starts where there is no folder for it', () => {
    expect(() => launch('gemini', 'interactive', long)).toThrow('The prompt for gemini is 200 KiB long');
  });

  it('travels whole on a channel', () => {
    for (const type of CLIS) {
      expect(launch(type, 'headless', long, { permissions: 'ask' }).files).toBeUndefined();
      expect(told(type, 'headless', { permissions: 'ask' }, long)).toContain(long);
    }
  });

  it('leaves an argument as it is up to the limit', () => {
    const fits = 'x'.repeat(LONGEST_PROMPT_BYTES);
    expect(launch('claude', 'headless', fits).args.at(-1)).toBe(fits);
    expect(LONGEST_PROMPT_BYTES + '--prompt-interactive='.length).toBeLessThan(128 * 1024);
  });
});

describe('a mode that is not defined (AMB-50)', () => {
  const definition = definitionShape.parse({
    metadata: { displayName: 'One' },
    binary: { command: './one.sh' },
    modes: { headless: { args: ['{cwd}/{here}'], promptPosition: 'flag', promptFlag: '-m' } },
  });
  const One = definedAdapter('one', definition, '/defs');

  it('is an error that names it', () => {
    const adapter = new One({ name: 'x', cwd: '/p' });
    expect(() => adapter.getLaunchConfig('interactive', 'x')).toThrow(
      'The agent one has no interactive mode',
    );
    expect(One.problems?.('interactive', {})).toEqual(['one has no interactive mode; use headless.']);
    expect(adapter.screen).toBeUndefined();
    expect(adapter.openStream?.('interactive')).toBeUndefined();
    expect(adapter.openStream?.('headless')).toBeInstanceOf(TextStream);
  });

  it('leaves the other as it is; paths are relative to the definition', () => {
    expect(new One({ name: 'x', cwd: '/p' }).getLaunchConfig('headless', 'do')).toEqual({
      command: '/defs/one.sh',
      args: ['/p//defs', '-m', 'do'],
    });
  });
});

describe('what a CLI lacks', () => {
  it('is reported in a sentence that tells the user what to do', () => {
    expect(registry.problems('codex', 'headless', { maxTurns: 3, maxUsd: 1 })).toEqual([
      'codex has no turn limit; remove maxTurns or use claude or qwen.',
      'codex has no money limit of its own; remove maxUsd or use claude.',
    ]);
    for (const type of CLIS) {
      expect(registry.problems(type, 'headless', { permissions: 'ask' })).toEqual([]);
    }
    expect(registry.problems('gemini', 'headless', { permissions: 'ask', resume: { id: 'x' } })).toEqual([
      'gemini cannot continue a conversation with permissions "ask"; remove resume, use other permissions or run it interactive.',
    ]);
    expect(registry.problems('claude', 'interactive', { maxTurns: 3 })).toEqual([
      'claude has no turn limit; remove maxTurns or run it headless.',
    ]);
    expect(registry.problems('claude', 'headless', { permissions: 'ask', maxTurns: 3, maxUsd: 2 })).toEqual(
      [],
    );
  });
});

describe('a headless run and a dialogue', () => {
  const modes = {
    headless: {
      args: ['run'],
      settings: { permissions: { edits: {} }, maxTurns: { args: ['-t', '{value}'] } },
    },
    dialogue: { args: ['talk'], stream: 'acp', settings: { permissions: { edits: {}, ask: {} } } },
  };
  const make = (given: object) =>
    definedAdapter(
      'one',
      definitionShape.parse({ metadata: { displayName: 'One' }, binary: { command: 'one' }, modes: given }),
      '/',
    );
  const Both = make(modes);
  const args = (One: ReturnType<typeof make>, permissions: Permissions) =>
    new One({ name: 'x', cwd: '/', permissions }).getLaunchConfig('headless', 'p').args;

  it('are chosen by permission: the dialogue is for those that headless does not have', () => {
    expect(args(Both, 'edits')).toEqual(['run', 'p']);
    expect(args(Both, 'ask')).toEqual(['talk']);
    expect(args(make({ dialogue: modes.dialogue }), 'edits')).toEqual(['talk']);
  });

  it('are both named where neither has a permission, and what only one of them has', () => {
    expect(Both.problems?.('headless', { permissions: 'all' })).toEqual([
      'one cannot run headless with permissions "all"; use "edits" or "ask".',
    ]);
    expect(Both.problems?.('headless', { permissions: 'ask', maxTurns: 1 })).toEqual([
      'one has no turn limit with permissions "ask"; remove maxTurns or use other permissions.',
    ]);
    expect(make({ dialogue: modes.dialogue }).problems?.('interactive', {})).toEqual([
      'one has no interactive mode; use headless.',
    ]);
  });
});
