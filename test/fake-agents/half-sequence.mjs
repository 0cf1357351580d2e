// Writes sequences in pieces, each a chunk of its own, and ends in the middle of one.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const ESC = '\u001b';
for (const piece of [
  'a',
  ESC,
  '[3',
  '1mRed',
  `${ESC}[0`,
  'm',
  `${ESC}]0;ti`,
  'tle',
  ESC,
  '\\',
  'b\r',
  '\nc',
  `${ESC}[4`,
]) {
  writeSync(1, piece);
  await sleep(2);
}
