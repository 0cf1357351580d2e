import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMasker } from '../../kernel/mask.ts';
import { reservedFor, whyReserved } from '../../manifest/origin.ts';
import { replyTerms } from '../../manifest/reply-terms.ts';
import { contentText } from '../../manifest/segment.ts';
import { stampOrigins } from '../../orchestrator/engine/stamp-origins.ts';
import { recordedRun } from '../testing.ts';
import { readReply, type Terms } from './reply.ts';

const masker = createMasker([]);
const RUNS = 1000;

const reserved = [
  'PATHS_ALLOWED',
  'BASELINE',
  'VERIFICATION',
  'OUTCOME',
  'HUMAN_GUIDANCE',
  'AGENT_RUN',
  'TEST_RESULT',
];
const signals = [
  'SIGNAL:SUCCESS',
  'SIGNAL:APPROVE',
  'SIGNAL:TIMED_OUT',
  'SIGNAL:LIMIT_REACHED',
  'SIGNAL:FAIL_DEFAULT',
];

/** Replies, whole and wrapped, with every forged word, and plain noise. */
const segment = fc.record({
  type: fc.oneof(fc.constantFrom(...reserved, 'NOTE', 'CODE_OUTPUT'), fc.string()),
  content: fc.jsonValue(),
  origin: fc.constant({ kind: 'engine', block: null, worker: null }),
  fact: fc.boolean(),
});
const reply = fc
  .record(
    {
      signal: fc.oneof(fc.constantFrom(...signals), fc.string()),
      segments: fc.array(segment),
      usage: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));
const wrapped = fc
  .tuple(fc.string(), reply, fc.string(), fc.constantFrom('', '```json\n', '~~~\n'))
  .map(([before, json, after, fence]) => `${before}${fence}${json}\n${fence.slice(0, 3)}${after}`);
const cut = fc.tuple(reply, fc.nat()).map(([json, at]) => json.slice(0, at % (json.length + 1)));
const said = fc.oneof(reply, wrapped, cut, fc.string({ unit: 'binary' }), fc.json());

const terms = (structured: boolean): fc.Arbitrary<Terms> =>
  fc.constantFrom<Terms['kind']>('agent', 'model', 'program').map((kind) => ({
    structured,
    signals: ['SIGNAL:SUCCESS', 'SIGNAL:FAILURE', 'SIGNAL:APPROVE'],
    kind,
  }));

describe('what an answer can do', () => {
  it('is text and a success, whatever it says, where the block asks for no reply', () => {
    fc.assert(
      fc.property(said, terms(false), (text, asked) => {
        const read = readReply(text, masker, asked);
        expect(read).toMatchObject({ signal: 'SIGNAL:SUCCESS', usage: undefined });
        const segments = 'segments' in read ? read.segments : [];
        expect(segments.map(({ type, content }) => ({ type, content }))).toEqual(
          text.trim() === '' ? [] : [{ type: 'MODEL_OUTPUT', content: text.trim() }],
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('never claims a reserved word or a signal that the block does not list, and never throws', () => {
    fc.assert(
      fc.property(said, terms(true), (text, asked) => {
        const read = readReply(text, masker, asked);
        if ('problem' in read) return;
        expect(asked.signals).toContain(read.signal);
        for (const { type } of read.segments) expect(whyReserved(type, asked.kind)).toBeUndefined();
        for (const entry of read.segments) expect(Object.keys(entry).toSorted()).toEqual(['content', 'type']);
      }),
      { numRuns: RUNS },
    );
  });

  it('is read only if it is the whole answer', () => {
    const around = fc.string({ minLength: 1 }).filter((text) => /[^\s`~]/.test(text));
    fc.assert(
      fc.property(around, fc.boolean(), (text, behind) => {
        const json = '{"signal":"SIGNAL:APPROVE"}';
        const asked: Terms = {
          structured: true,
          signals: ['SIGNAL:SUCCESS', 'SIGNAL:APPROVE'],
          kind: 'agent',
        };
        const read = readReply(behind ? `${json}\n${text}` : `${text}\n${json}`, masker, asked);
        expect(read).not.toMatchObject({ signal: 'SIGNAL:APPROVE' });
      }),
      { numRuns: RUNS },
    );
  });

  it('enters the history only under the name of who said it', () => {
    const run = recordedRun();
    fc.assert(
      fc.property(
        fc.array(segment),
        fc.constantFrom('agent', 'model', 'program', undefined),
        (segments, kind) => {
          const added = segments
            .filter(({ type }) => type !== '')
            .map(({ type, content, origin }) => ({ ...run.segment(type, content), origin }) as const);
          let stamped: ReturnType<typeof stampOrigins> = [];
          try {
            stamped = stampOrigins(added, { block: 'N__B', name: 'Coder', kind });
          } catch {
            return;
          }
          for (const { origin, type } of stamped) {
            expect(origin).toEqual({ kind: kind ?? 'program', block: 'N__B', worker: 'Coder' });
            if (kind === 'agent' || kind === 'model') expect(reservedFor(type)).toBeUndefined();
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('a block asks for a reply by saying so or by signals that only a reply can choose', () => {
    const to = (...listed: string[]) => ({
      transitions: listed.map((on_signal) => ({
        on_signal,
        action: { verb: 'RETURN', text: 'RETURN' } as const,
      })),
    });
    expect(replyTerms(to('SIGNAL:SUCCESS', 'SIGNAL:TIMED_OUT', 'SIGNAL:FAIL_DEFAULT')).structured).toBe(
      false,
    );
    expect(replyTerms(to('SIGNAL:APPROVE', 'SIGNAL:LIMIT_REACHED'))).toEqual({
      structured: true,
      signals: ['SIGNAL:SUCCESS', 'SIGNAL:FAILURE', 'SIGNAL:APPROVE'],
    });
    expect(replyTerms({ ...to('SIGNAL:APPROVE'), reply: 'text' }).structured).toBe(false);
    expect(replyTerms({ ...to('SIGNAL:APPROVE'), signalFrom: 'verdict' }).structured).toBe(false);
    expect(replyTerms({ ...to('SIGNAL:SUCCESS'), reply: 'structured' }).structured).toBe(true);
  });

  it('text of a reply stays what it was', () => {
    const json = '{"segments":[{"type":"NOTE","content":"as it is"}]}';
    const read = readReply(json, masker, { structured: true, signals: ['SIGNAL:SUCCESS'], kind: 'agent' });
    expect('segments' in read && read.segments.map((entry) => contentText({ id: '', ...entry }))).toEqual([
      'as it is',
    ]);
  });
});
