import { crc32 } from 'node:zlib';
import type { JournalRecord, StepRecord } from '../record.ts';
import { type Segments, StoredSegments } from '../stored-segments.ts';

/**
 * A journal line is JSON whose last field is a checksum of everything before it, so a line that was cut or
 * damaged can be told from a whole one, and the file stays readable for any JSON-lines tool. What a step added
 * stands right before the checksum, so that the small rest can be read without it.
 */
export function encodeLine(record: JournalRecord): string {
  const text = (record.t === 'step' ? stepText(record) : JSON.stringify(record)).slice(0, -1);
  return `${text}${checksumField(crc32(text))}\n`;
}

function stepText({ added, ...rest }: StepRecord): string {
  return JSON.stringify({ ...rest, added });
}

/** Whether the line between two positions is whole and undamaged. */
export function isWhole(bytes: Buffer, start: number, end: number): boolean {
  const tail = end - FIELD_LENGTH;
  if (tail <= start || !standsAt(bytes, tail, FIELD_START)) return false;
  const checked = new Uint8Array(bytes.buffer, bytes.byteOffset + start, tail - start);
  return crc32(checked) === hexAt(bytes, tail + FIELD_START.length);
}

/** `latin1` for what is known to be plain ASCII: the same text, read faster. */
export type Encoding = 'utf8' | 'latin1';

/** Reads a whole line; what a step added stays in the bytes until somebody looks at it. */
export function decodeLine(bytes: Buffer, start: number, end: number, encoding: Encoding): JournalRecord {
  const tail = end - FIELD_LENGTH;
  // Quotes inside a text are escaped, so the first bare one of these is the field itself.
  const added = standsAt(bytes, start, STEP) ? bytes.indexOf(ADDED, start) : -1;
  if (added < 0 || added > tail)
    return JSON.parse(`${bytes.toString(encoding, start, tail)}}`) as JournalRecord;
  // The head is closed in place for a moment: joining a brace to its text would copy each of them once more.
  bytes[added] = BRACE;
  const text = bytes.toString(encoding, start, added + 1);
  bytes[added] = COMMA;
  const head = JSON.parse(text) as { added: Segments };
  head.added = new StoredSegments(bytes, added + ADDED.length - 1, tail);
  return head as StepRecord;
}

/** A journal is read byte by byte here, because making a text of every field would cost more than reading it. */
function standsAt(bytes: Buffer, position: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[position + i] !== text.charCodeAt(i)) return false;
  return true;
}

function hexAt(bytes: Buffer, position: number): number {
  let value = 0;
  for (let i = position; i < position + 8; i++) {
    const code = bytes[i] ?? 0;
    value = value * 16 + (code > 0x39 ? code - 0x57 : code - 0x30);
  }
  return value;
}

export const LINE_END = 0x0a;
const BRACE = 0x7d;
const COMMA = 0x2c;
const STEP = '{"t":"step"';
const ADDED = ',"added":[';
const FIELD_START = ',"crc":"';
const FIELD_LENGTH = checksumField(0).length;

function checksumField(sum: number): string {
  return `${FIELD_START}${sum.toString(16).padStart(8, '0')}"}`;
}
