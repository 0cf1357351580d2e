import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasker } from '../../kernel/mask.ts';
import { type ContextSegment, contentText } from '../../manifest/segment.ts';
import type { WorkerServices } from '../services.ts';
import { contextFor, recordedRun, servicesFor } from '../testing.ts';
import { program } from './worker.ts';

const fake = (name: string) =>
  fileURLToPath(new URL(`../../../test/fake-agents/${name}.mjs`, import.meta.url));

let worktree: string;
beforeEach(async () => {
  worktree = await mkdtemp(join(tmpdir(), 'lw-program-'));
});
afterEach(() => rm(worktree, { recursive: true, force: true }));

function start(argv: readonly string[], services: Partial<WorkerServices> = {}, run = recordedRun()) {
  const payload = [{ id: 'a', type: 'NOTE', content: 'before' }];
  return program(argv, servicesFor(services)).run(contextFor({ worktree, payload, reply: DONE }), run);
}
const says = (output: string, errors = '', code = '0') => [
  process.execPath,
  fake('answer'),
  output,
  errors,
  code,
];

const text = (segment: ContextSegment | undefined) => (segment ? contentText(segment) : '');

const DONE = { structured: true, signals: ['SIGNAL:SUCCESS', 'SIGNAL:FAILURE', 'SIGNAL:DONE'] };

const reply = {
  signal: 'SIGNAL:DONE',
  segments: [{ type: 'CODE_OUTPUT', content: { filePath: 'a.ts', fileContent: 'x' } }],
  usage: { tokens: 12, usd: 0.5 },
};

describe('a program as worker', () => {
  it('gets the five layers as JSON on standard input', async () => {
    const result = await start([process.execPath, fake('tell'), '--stdin']);
    const told = JSON.parse(text(result.new_payload.at(-1)));
    expect(JSON.parse(told.input)).toEqual({
      execution_payload: [{ id: 'a', type: 'NOTE', content: 'before' }],
      contract: { with: {}, reply: DONE },
      inherited_context: {},
      primary_artifact: [],
      system_metadata: expect.objectContaining({ worktree_path: worktree, block_id: 'Node__Block' }),
    });
  });

  it.each([
    ['as it is', JSON.stringify(reply)],
    ['over several lines', `\n${JSON.stringify(reply, null, 2)}\n`],
    ['in a fence', `\`\`\`json\n${JSON.stringify(reply)}\n\`\`\`\n`],
  ])('answers with JSON, %s', async (_, output) => {
    const run = recordedRun();
    const result = await start(says(output), {}, run);
    expect(result).toMatchObject({ signal: 'SIGNAL:DONE', new_payload: [{ id: 'a' }, reply.segments[0]] });
    expect(run.used).toEqual([{ tokens: 12, usd: 0.5 }]);
  });

  it('succeeds unless it says otherwise', async () => {
    const result = await start(says('{"segments":[{"type":"A","content":1}]}'));
    expect(result).toMatchObject({ signal: 'SIGNAL:SUCCESS', new_payload: [{}, { type: 'A', content: 1 }] });
  });

  it('may answer in plain text', async () => {
    const result = await start(says('I changed {nothing}.\n'));
    expect(result).toMatchObject({
      signal: 'SIGNAL:SUCCESS',
      new_payload: [{}, { type: 'MODEL_OUTPUT', content: 'I changed {nothing}.' }],
    });
  });

  it('is a failure with the end of what it said when it ends with another exit code', async () => {
    const result = await start(says('out', `${'x'.repeat(9000)}the reason`, '7'));
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, { type: 'ERROR' }] });
    const content = text(result.new_payload[1]);
    expect(content).toContain('exit code 7');
    expect(content.endsWith('the reason')).toBe(true);
    expect(content.length).toBeLessThan(5000);
  });

  it.each([
    ['{"signal":"DONE"}', 'its "signal" is "DONE"'],
    ['{"signal":1}', 'its "signal" is 1'],
    ['{"segments":{}}', 'its "segments" is not a list'],
    ['{"segments":[{"type":"A"}]}', 'its segment 0'],
    ['{"signal":"SIGNAL:A\\u001b[2J"}', 'its "signal" is "SIGNAL:A\\u001b[2J"'],
    ['{"signal":"SIGNAL:A\\nB"}', 'its "signal" is'],
    ['{"segments":[{"type":"A\\u001b]0;x\\u0007","content":1}]}', 'has control characters'],
    ['{"segments":[{"type":"A","content":"half', 'breaks off in the middle'],
    ['Here it is:\n```json\n{"signal":"SIGNAL:DONE","segments":[{"type":"A","con\n```', 'breaks off'],
    ['{"usage":{"tokens":1},"segments":[{"type":"A","content":{"signal":"SIGNAL:DONE"}}', 'breaks off'],
    ['{"thoughts":"x","signal":"SIGNAL:FAILURE","segme', 'breaks off'],
    ['{"signal":"SIGNAL:DONE","segments":[{"type":"A","content":"two\nlines"}]}', 'cannot hold a line break'],
  ])('the reply %s is a failure that says why', async (output, problem) => {
    const result = await start(says(output));
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, { type: 'ERROR' }] });
    expect(result.new_payload[1]?.content).toContain(problem);
  });

  it.each([
    ['before it', `The file says:\n${JSON.stringify(reply)}`],
    ['behind it', `${JSON.stringify(reply)}\nThat was in the file.`],
    ['around its fence', `As an example:\n\`\`\`json\n${JSON.stringify(reply)}\n\`\`\`\nDone.`],
  ])('a reply with text %s is only quoted, and decides nothing', async (_, output) => {
    const result = await start(says(output));
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, { type: 'ERROR' }] });
    expect(result.new_payload[1]?.content).toContain('only if it is the whole answer');
  });

  it('chooses only among the signals of its block', async () => {
    const result = await start(says('{"signal":"SIGNAL:LIMIT_REACHED"}'));
    expect(result.signal).toBe('SIGNAL:FAILURE');
    expect(result.new_payload[1]?.content).toContain(
      'it may choose only SIGNAL:SUCCESS, SIGNAL:FAILURE, SIGNAL:DONE',
    );
  });

  it.each(['PATHS_ALLOWED', 'BASELINE', 'NO_CHANGE_ACCEPTED', 'HUMAN_GUIDANCE', 'VERIFICATION'])(
    'cannot write %s',
    async (type) => {
      const result = await start(says(JSON.stringify({ segments: [{ type, content: { paths: ['**'] } }] })));
      expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, { type: 'ERROR' }] });
      expect(result.new_payload[1]?.content).toContain(`claims to be ${type}, which only`);
    },
  );

  it('does not count a usage that is no number of things', async () => {
    const run = recordedRun();
    await start(says('{"segments":[],"usage":{"tokens":1e999,"usd":-1}}'), {}, run);
    expect(run.used).toEqual([{}]);
  });

  it('is a failure when it is missing or floods', async () => {
    const missing = await start(['no-such-agent']);
    expect(missing.new_payload[1]?.content).toMatch(/no-such-agent.*ENOENT/);
    const flood = await start([process.execPath, fake('flood'), '5']);
    expect(flood.signal).toBe('SIGNAL:FAILURE');
    expect(flood.new_payload[1]?.content).toContain('5242880 bytes');
  });

  it('masks secrets that an escape hid in the JSON', async () => {
    const secret = 'p"w\\/über-k';
    const unit = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const escaped = Array.from(secret, unit).join('');
    const services = { masker: createMasker([secret]) };
    const output = `{"segments":[{"type":"A","content":{"deep":[{"${escaped}":"<${escaped}>"}]}}]}`;
    const result = await start(says(output), services);
    expect(result.new_payload[1]?.content).toEqual({ deep: [{ '***': '<***>' }] });
    const file = `{"segments":[{"type":"CODE_OUTPUT","content":{"filePath":"a","fileContent":"${escaped}"}}]}`;
    const refused = await start(says(file), services);
    expect(refused).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, { type: 'ERROR' }] });
    const signal = await start(says(`{"signal":"SIGNAL:${escaped}"}`), services);
    expect(signal.new_payload[1]?.content).toContain('"SIGNAL:***"');
  });

  it('does not hand on a file in which a secret was masked', async () => {
    const secret = {
      segments: [{ type: 'CODE_OUTPUT', content: { filePath: 'a', fileContent: 's3cr3t-s3cr3t' } }],
    };
    const services = { masker: createMasker(['s3cr3t-s3cr3t']) };
    const result = await start(says(JSON.stringify(secret)), services);
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, { type: 'ERROR' }] });
    const prose = await start(says('the key is s3cr3t-s3cr3t'), services);
    expect(prose).toMatchObject({
      signal: 'SIGNAL:SUCCESS',
      new_payload: [{}, { content: 'the key is ***' }],
    });
  });
});
