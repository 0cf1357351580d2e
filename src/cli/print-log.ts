import { createReadStream } from 'node:fs';
import { API_VERSION } from '../api/version.ts';
import { plain } from '../kernel/words.ts';
import type { Screen } from './output.ts';

/** A line longer than this is printed in parts. */
const LONGEST_LINE = 64 * 1024;

/** Prints a log file piece by piece: it can be larger than any text that fits into memory. */
export async function printLog(screen: Screen, file: string): Promise<void> {
  let rest = '';
  let endsWithLine = true;
  const print = async (text: string): Promise<void> => {
    const shown = plain(text);
    if (shown === '') return;
    endsWithLine = shown.endsWith('\n');
    await screen.text(shown);
  };
  for await (const piece of pieces(file)) {
    const text = rest + piece;
    // Whole lines, because an escape sequence that is cut in two is not recognised.
    const end = text.lastIndexOf('\n') + 1 || (text.length > LONGEST_LINE ? text.length : 0);
    rest = text.slice(end);
    await print(text.slice(0, end));
  }
  await print(rest);
  if (!endsWithLine) screen.line();
}

/** The same as one JSON document, written as it is read: a log may be larger than the memory. */
export async function printLogsAsJson(screen: Screen, files: readonly string[]): Promise<void> {
  await screen.text(`{"apiVersion":${API_VERSION},"logs":[`);
  for (const [index, file] of files.entries()) {
    await screen.text(`${index === 0 ? '' : ','}{"file":${JSON.stringify(file)},"text":"`);
    for await (const piece of pieces(file)) await screen.text(JSON.stringify(piece).slice(1, -1));
    await screen.text('"}');
  }
  screen.line(']}');
}

function pieces(file: string): AsyncIterable<string> {
  return createReadStream(file, { encoding: 'utf8' });
}
