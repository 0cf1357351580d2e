import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_NAMES } from '../../kernel/agent-names.ts';
import { AdapterRegistry } from '../registry/registry.ts';
import { eventsOf, readTranscript, replay, transcriptPath } from './stream/testing.ts';

const RECORDED = AGENT_NAMES.filter((name) => existsSync(dirname(transcriptPath(name, 'x'))));

/** Some were recorded in runs that ask. */
function open(cli: string, recording = '') {
  const permissions = /^(?:acp|ask)-/.test(recording) ? 'ask' : 'edits';
  const adapter = new AdapterRegistry().create(cli, { name: cli, cwd: '/lab', permissions });
  return adapter.openStream!('headless')!;
}

describe.each(RECORDED)('every recording of %s', (cli) => {
  const names = readdirSync(dirname(transcriptPath(cli, 'x')));
  const runs = names.filter((name) => /\.(?:txt|jsonl)$/.test(name) && !name.endsWith('.screen.txt'));

  it.each(runs)('%s ends with one result, and is ok only without an error', (name) => {
    const events = replay(open(cli, name), readTranscript(cli, name));
    expect(events.at(-1)?.type).toBe('result');
    const ok = eventsOf(events, 'result').some((result) => result.ok);
    expect(ok && eventsOf(events, 'error').length > 0).toBe(false);
  });

  it('takes what it prints in every run for nothing', () => {
    for (const name of names.filter((each) => each === 'headless.stderr')) {
      const stream = open(cli);
      const lines = readFileSync(transcriptPath(cli, name), 'utf8').split('\n');
      expect(lines.flatMap((line) => stream.push(line, 'stderr'))).toEqual([]);
      const [error] = eventsOf(stream.end({ kind: 'exited', code: 1, durationMs: 1 }), 'error');
      expect(error).toMatchObject({
        kind: 'crash',
        message: expect.stringContaining('exit code 1') as string,
      });
    }
  });
});
