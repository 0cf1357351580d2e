import { describe, expect, it } from 'vitest';
import { failureSignature } from './failure-signature.ts';

const of = (...texts: string[]) => failureSignature('SIGNAL:FAILURE', texts);

const vitestLog = (duration: string, time: string, folder: string, line: number) => `
 RUN  v4.1.12 ${folder}/project

 ❯ src/sum.test.ts (2 tests | 1 failed) ${duration}
     ✓ adds ${duration}
     × adds negative numbers ${duration}

AssertionError: expected 3 to be -3 // Object.is equality
 ❯ src/sum.test.ts:${line}:15

   Start at  ${time}
   Duration  ${duration} (transform 23ms, setup 0ms)
`;

describe('failure signatures', () => {
  it('are equal for the same failing test, whatever differs from run to run', () => {
    const first = vitestLog('12ms', '20:14:03', '/tmp/lw-Ab3xY', 7);
    const second = vitestLog('1.42s', '09:01:59', '/tmp/lw-Zq9', 112);
    expect(of(second)).toBe(of(first));
  });

  it('differ for another failing test, another message and another signal', () => {
    const log = vitestLog('12ms', '20:14:03', '/tmp/lw-Ab3xY', 7);
    const seen = [
      of(log),
      of(log.replace('adds negative numbers', 'adds fractions')),
      of(log.replace('AssertionError', 'TypeError')),
      of(log.replace('sum.test.ts', 'mul.test.ts')),
      failureSignature('SIGNAL:VALIDATION_FAIL', [log]),
    ];
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each([
    ['colours', '\u001B[31mfailed\u001B[0m', 'failed'],
    ['links', '\u001B]8;;http://x\u0007failed\u001B]8;;\u0007', 'failed'],
    ['dates', 'at 2026-11-15T20:14:03.123Z', 'at 2025-01-02 03:04:05'],
    ['times', 'at 7:05 PM', 'at 11:59:01.002 AM'],
    ['durations', 'took 5 seconds', 'took 2.5ms'],
    ['counts', '3 of 17 failed', '2 of 18 failed'],
    ['addresses', 'at 0x7ffc01', 'at 0xdeadbeef'],
    ['commits', 'at 3f2a91c', 'at 00ab12cdef34'],
    ['ids', 'run 123e4567-e89b-12d3-a456-426614174000', 'run 00000000-0000-0000-0000-00000000000a'],
    ['ports', 'on localhost:54321', 'on localhost:8080'],
    ['temporary folders', 'in /tmp/a-x1/src/a.js', 'in /tmp/b-y2/src/a.js'],
    ['temporary folders of macOS', 'in /private/var/folders/ab/cd12/T/src', 'in /var/folders/xy/z9/T/src'],
    ['progress', 'failed\r\n', '10%\rfailed'.replace('10%\r', '')],
    ['blanks', '  a   b ', 'a b'],
    ['order', 'one\ntwo', 'two\none'],
    ['repetition', 'one', 'one\none'],
  ])('do not see %s', (_, a, b) => {
    expect(of(a)).toBe(of(b));
  });

  it.each([
    ['numbers inside names', 'test_1 failed', 'test_2 failed'],
    ['versions of names', 'case12', 'case13'],
    ['words that could be hex', 'deadbeef', 'defaced'],
    ['different texts', 'a', 'b'],
    ['paths', 'src/a.js', 'src/b.js'],
  ])('see %s', (_, a, b) => {
    expect(of(a)).not.toBe(of(b));
  });

  // A pattern that looks back would be at it for hours.
  it('take a long log, and one that is made to be hard', () => {
    const log = `${'x'.repeat(100)} 12ms \u001B[31mfailed\u001B[0m at /tmp/a/b.js:1:2\n`.repeat(30_000);
    expect(of(log)).toBe(of(log.replaceAll('12ms', '13ms')));
    const hostile = [
      '\u001B]'.repeat(500_000),
      '0'.repeat(1_000_000),
      'a1'.repeat(500_000),
      '1:'.repeat(300_000),
    ];
    expect(new Set(hostile.map((text) => of(text))).size).toBeGreaterThan(1);
  });
});
