// Answers `Ping` with `Pong`, and every other line with itself in brackets. Ends with its input.
import { createInterface } from 'node:readline';

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(line === 'Ping' ? 'Pong\n' : `[${line}]\n`);
}
