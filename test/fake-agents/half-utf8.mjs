// Writes a four-byte character one byte at a time, each in its own chunk, then half of another one.
import { writeSync } from 'node:fs';

for (const byte of Buffer.from('<🙂é>')) {
  writeSync(1, Buffer.from([byte]));
  await new Promise((resolve) => setTimeout(resolve, 2));
}
writeSync(1, Buffer.from('é').subarray(0, 1));
