import { crc32 } from 'node:zlib';
import type { JournalRecord, StepRecord } from '../record.ts';
import { type Segments, StoredSegments } from '../stored-segments.ts';

/**
 * A journal line is JSON whose last field is a checksum of everything before it, so a line that was cut or
 * damaged is told from a whole one, and the file stays readable for any JSON-lines tool. What a step added
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
  return crc32(bytes.subarray(start, tail)) === hexAt(bytes, tail + FIELD_START.length);
}

/** Reads a whole line; what a step added stays in the bytes until somebody looks at it. */
export function decodeLine(bytes: Buffer, start: number, end: number): JournalRecord {
  const tail = end - FIELD_LENGTH;
  // Quotes inside a text are escaped, so the first bare one of these is the field itself.
  const added = standsAt(bytes, start, STEP) ? bytes.indexOf(ADDED, start) : -1;
  if (added < 0 || added > tail)
    return JSON.parse(`${bytes.toString('utf8', start, tail)}}`) as JournalRecord;
  const head = JSON.parse(`${bytes.toString('utf8', start, added)},"added":0}`) as { added: Segments };
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
const STEP = '{"t":"step"';
const ADDED = ',"added":[';
const FIELD_START = ',"crc":"';
const FIELD_LENGTH = checksumField(0).length;

function checksumField(sum: number): string {
  return `${FIELD_START}${sum.toString(16).padStart(8, '0')}"}`;
}
