import { isAscii } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { JournalRecord } from '../record.ts';

/**
 * A journal line is JSON whose last field is a checksum of everything before it, so a line that was cut or
 * damaged is told from a whole one, and the file stays readable for any JSON-lines tool.
 */
export function encodeLine(record: JournalRecord): string {
  const text = JSON.stringify(record).slice(0, -1);
  return `${text}${checksumField(crc32(text))}\n`;
}

/** Whether the line between two positions is whole and undamaged. */
export function isWhole(bytes: Buffer, start: number, end: number): boolean {
  const tail = end - FIELD_LENGTH;
  if (tail <= start || bytes.toString('latin1', tail, tail + FIELD_START.length) !== FIELD_START)
    return false;
  const digits = bytes.toString('latin1', tail + FIELD_START.length, end - 2);
  return crc32(bytes.subarray(start, tail)) === Number.parseInt(digits, 16);
}

/**
 * Reads whole lines at once: one parse of a large text costs half of many small ones. The line ends in `bytes`
 * are overwritten on the way.
 */
export function decodeLines(bytes: Buffer): JournalRecord[] {
  if (bytes.length === 0) return [];
  for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, end + 1))
    bytes[end] = COMMA;
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8', 0, bytes.length - 1);
  return JSON.parse(`[${text}]`) as JournalRecord[];
}

export const LINE_END = 0x0a;
const COMMA = 0x2c;
const FIELD_START = ',"crc":"';
const FIELD_LENGTH = checksumField(0).length;

function checksumField(sum: number): string {
  return `${FIELD_START}${sum.toString(16).padStart(8, '0')}"}`;
}
