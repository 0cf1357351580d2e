// Writes each argument as a chunk of its own; `\e` in it is an escape character. The first names the stream.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , stream, ...pieces] = process.argv;
for (const piece of pieces) {
  writeSync(stream === 'stderr' ? 2 : 1, piece.replaceAll('\\e', '\u001b'));
  await sleep(2);
}
