// Answers `Ping` with `Pong`, and every other line with itself in brackets. Ends with its input.
// `--first <text>` is printed before anything else.
import { createInterface } from 'node:readline';

const [, , option, first] = process.argv;
process.stdout.write(`${option === '--first' ? first : ''}ready\n`);
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(line === 'Ping' ? 'Pong\n' : `[${line}]\n`);
}
