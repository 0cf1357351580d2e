// Writes numbered lines, the given number of bytes in all, and ends at once.
import { writeSync } from 'node:fs';

const bytes = Buffer.from(
  Array.from(
    { length: Math.ceil(Number(process.argv[2]) / 10) },
    (_, i) => `${String(i).padStart(9, '0')}\n`,
  ).join(''),
);
for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
process.exit(0);
