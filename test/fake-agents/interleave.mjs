// Writes numbered lines to standard output and standard error in turn, synchronously.
import { writeSync } from 'node:fs';

const count = Number(process.argv[2] ?? 3);
for (let i = 0; i < count; i++) writeSync(i % 2 === 0 ? 1 : 2, `${i}\n`);
