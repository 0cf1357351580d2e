import { crc32 } from 'node:zlib';
import type { JournalRecord } from '../record.ts';

/**
 * A journal line is JSON with a checksum as its last field, so a line that was cut or damaged is told from a
 * whole one, and the file stays readable for any JSON-lines tool.
 */
export function encodeLine(record: JournalRecord): string {
  const text = JSON.stringify(record);
  return `${text.slice(0, -1)},"crc":"${checksum(text)}"}\n`;
}

const TAIL = /,"crc":"([0-9a-f]{8})"\}$/;

export function decodeLine(line: string): JournalRecord | undefined {
  const tail = TAIL.exec(line.length > 64 ? line.slice(-64) : line);
  if (!tail) return undefined;
  const text = `${line.slice(0, line.length - tail[0].length)}}`;
  if (checksum(text) !== tail[1]) return undefined;
  try {
    return JSON.parse(text) as JournalRecord;
  } catch {
    return undefined;
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
