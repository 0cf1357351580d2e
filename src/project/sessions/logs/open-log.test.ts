import { describe, expect, it } from 'vitest';
import type { AgentSettings } from '../../../agents/adapter.ts';
import { both, readTranscript } from '../../../agents/adapters/stream/testing.ts';
import { AdapterRegistry } from '../../../agents/registry/registry.ts';
import { createMasker } from '../../../kernel/mask.ts';
import { streamLogName, taskOfLog } from '../../../workers/agent/stream-log.ts';
import { viewOf } from './open-log.ts';

const adapters = new AdapterRegistry();
const LOOK = { raw: false, adapters, masker: createMasker(['open sesame']) };

/** What `logs` tells of a recorded run, read by the name that a run with these settings gives its log. */
function told(cli: string, recording: string, settings: AgentSettings, most = Number.POSITIVE_INFINITY) {
  const view = viewOf(`0001-${streamLogName('t', cli, settings)}`, LOOK);
  const lines = both(readTranscript(cli, recording)).theirs.slice(0, most);
  return view.push(lines.map((line) => `${line}\n`).join('')) + view.end();
}

describe('the log of an agent that was talked to', () => {
  it.each([
    ['codex', 'ask-yes.jsonl', 'wants to run a command', '(1 Allow once, 2 Deny)'],
    ['gemini', 'acp-ask-yes.jsonl', 'wants to use write_file', '2 Allow, 3 Reject)'],
    ['opencode', 'acp-ask-yes.jsonl', 'wants to use write', '(1 Allow once, 2 Always allow, 3 Reject)'],
  ])('of %s says in words what it asked, did and said', (cli, recording, question, choices) => {
    const text = told(cli, recording, { permissions: 'ask' });
    expect(text).toContain(question);
    expect(text).toContain(choices);
    expect(text).toContain('DONE: wrote');
    expect(text).toMatch(/\[\d+ tokens in/);
    expect(text).not.toMatch(/refused|jsonrpc|cut off/);
  });

  it.each(['read', 'edits', 'all'] as const)('of codex is read with its permissions: %s', (permissions) => {
    const policy = { read: 'read-only.jsonl', edits: 'headless.jsonl', all: 'headless.jsonl' }[permissions];
    const text = told('codex', policy, { permissions });
    // The recording of `edits` is none of a run that was told to do all, and would not have been given its task.
    expect(text.includes('it was not given its task')).toBe(permissions === 'all');
  });

  it('takes the answer to the choice of a model for what it is', () => {
    const lines = [
      { id: 1, result: {} },
      { id: 2, result: { sessionId: 's' } },
      { id: 3, result: {} },
      { method: 'session/update', params: { update: said('done') } },
      { id: 4, result: { stopReason: 'end_turn', usage: { inputTokens: 7, outputTokens: 2 } } },
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const name = `0001-${streamLogName('t', 'opencode', { permissions: 'ask', model: 'p/m' })}`;
    const view = viewOf(name, LOOK);
    expect(view.push(lines.join('')) + view.end()).toBe('done\n[7 tokens in, 2 out]\n');
  });

  it('masks a secret that was said in pieces', () => {
    const lines = [
      { id: 1, result: {} },
      { id: 2, result: { sessionId: 's' } },
      ...['the word is open', ' sesame'].map((text) => ({
        method: 'session/update',
        params: { update: said(text) },
      })),
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const view = viewOf(`0001-${streamLogName('t', 'opencode', { permissions: 'ask' })}`, LOOK);
    expect(view.push(lines.join('')) + view.end()).toBe('the word is ***\n');
  });

  it('ends with what was said when it was cut off', () => {
    const lines = both(readTranscript('opencode', 'acp-ask-yes.jsonl')).theirs;
    const spoken = lines.findIndex((line) => line.includes('agent_message_chunk'));
    expect(told('opencode', 'acp-ask-yes.jsonl', { permissions: 'ask' }, spoken + 1)).toBe(
      'I will write the file.\n',
    );
  });

  it.each(['api', 'a--b', 'a-b.c'])('belongs to the task %s', (task) => {
    for (const settings of [{}, { permissions: 'ask' }, { model: 'm' }] as const) {
      expect(taskOfLog(`0002.03-${streamLogName(task, 'my-agent', settings)}`)).toBe(task);
    }
  });
});

const said = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
