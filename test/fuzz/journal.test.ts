import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LoopwrightError } from '../../src/kernel/errors.ts';
import { SessionManager } from '../../src/orchestrator/state/session-manager.ts';

const RECORDED = fileURLToPath(new URL('../recorded/', import.meta.url));
const RUNS = 300;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lw-fuzz-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** What a bad disk, a bad editor or a bad person does to a file of lines. */
const damage = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('byte' as const), at: fc.nat(), byte: fc.nat(255) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), bytes: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('double' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('swap' as const), at: fc.nat(), with: fc.nat() }),
  fc.record({ kind: fc.constant('replace' as const), at: fc.nat(), value: fc.json() }),
);
type Damage = typeof damage extends fc.Arbitrary<infer Kind> ? Kind : never;

function damaged(bytes: Buffer, done: Damage): Buffer {
  if (done.kind === 'cut') return bytes.subarray(0, done.at % (bytes.length + 1));
  if (done.kind === 'byte') {
    const copy = Buffer.from(bytes);
    copy[done.at % Math.max(1, copy.length)] = done.byte;
    return copy;
  }
  if (done.kind === 'insert') {
    const at = done.at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), done.bytes, bytes.subarray(at)]);
  }
  const lines = bytes.toString('utf8').split('\n');
  const at = done.at % lines.length;
  if (done.kind === 'drop') lines.splice(at, 1);
  else if (done.kind === 'double') lines.splice(at, 0, lines[at] ?? '');
  else if (done.kind === 'replace') lines[at] = done.value;
  else {
    const other = done.with % lines.length;
    [lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? ''];
  }
  return Buffer.from(lines.join('\n'));
}

it.each(['answered', 'asking', 'quota', 'waiting'])(
  'a damaged journal is a session or a problem with words, never a crash: %s',
  (name) => {
    const whole = readFileSync(join(RECORDED, name, 'journal.1.jsonl'));
    const { id } = JSON.parse(readFileSync(join(RECORDED, name, 'session.json'), 'utf8')) as { id: string };
    cpSync(join(RECORDED, name), join(root, id), { recursive: true });
    const sessions = SessionManager.onDisk(root);
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (all) => {
        writeFileSync(join(root, id, 'journal.1.jsonl'), all.reduce(damaged, whole));
        rmSync(join(root, id, 'session.json'), { force: true });
        for (const look of [() => sessions.load(id), () => sessions.summary(id)]) {
          try {
            look();
          } catch (error) {
            expect(error).toBeInstanceOf(LoopwrightError);
            expect((error as LoopwrightError).message).toMatch(/\S/);
          }
        }
      }),
      { numRuns: RUNS },
    );
  },
);
