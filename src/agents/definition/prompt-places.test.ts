import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AgentSettings, ExecutionMode } from '../adapter.ts';
import { AdapterRegistry } from '../registry/registry.ts';
import { LONGEST_PROMPT_BYTES } from './prompt.ts';

const AGENTS = ['claude', 'codex', 'gemini', 'opencode'];
const page = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8');
const decision = readFileSync(
  new URL('../../../docs/adr/0008-prompts-and-permissions.md', import.meta.url),
  'utf8',
);

/** Where a prompt is handed over when the agent is really launched. */
function placeOf(agent: string, mode: ExecutionMode, prompt: string, settings: AgentSettings = {}): string {
  const registry = new AdapterRegistry();
  const adapter = registry.create(agent, { name: 'x', cwd: '/', filesDir: '/files', ...settings });
  const { args, input, files = [] } = adapter.getLaunchConfig(mode, prompt);
  if (input === prompt) return 'input';
  if (files.some(({ content }) => content.includes(prompt))) return 'file';
  return args.some((arg) => arg.includes(prompt)) ? 'argument' : 'message';
}

const LONG = 'x'.repeat(LONGEST_PROMPT_BYTES + 1);
interface Row {
  readonly row: string;
  readonly mode: ExecutionMode;
  readonly prompt: string;
  readonly settings?: AgentSettings;
}

const ROWS: readonly Row[] = [
  { row: 'headless', mode: 'headless', prompt: 'do it' },
  { row: 'headless, longer than 127 KiB', mode: 'headless', prompt: LONG },
  { row: 'headless, with `ask`', mode: 'headless', prompt: 'do it', settings: { permissions: 'ask' } },
  { row: 'on a terminal', mode: 'interactive', prompt: 'do it' },
  { row: 'on a terminal, longer than 127 KiB', mode: 'interactive', prompt: LONG },
];

describe('ADP-05 where the prompt goes', () => {
  it.each(ROWS)('$row: the page says what is started', ({ row, mode, prompt, settings = {} }) => {
    const places = AGENTS.map((agent) => placeOf(agent, mode, prompt, settings));
    expect(page).toContain(`| ${row} | ${places.join(' | ')} |`);
  });

  it('the decision names every exception', () => {
    expect(decision).toContain('headless opencode always');
    expect(decision).toContain('headless claude and gemini when it is longer than an argument may be');
    expect(decision).toContain(
      'headless codex always, headless claude, gemini and opencode with `permissions: ask`',
    );
    expect(decision).toContain('Nothing is ever typed');
  });
});
