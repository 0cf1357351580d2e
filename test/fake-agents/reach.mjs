// Says which devices it holds open and tries to write a word to each that is not one of its own three. Ends when told to.
import { readdirSync, readlinkSync, writeSync } from 'node:fs';

const [, , word] = process.argv;
const held = [];
for (const name of readdirSync('/proc/self/fd')) {
  try {
    const target = readlinkSync(`/proc/self/fd/${name}`);
    if (!target.startsWith('/dev/') || Number(name) <= 2) continue;
    held.push(target);
    writeSync(Number(name), word);
  } catch (error) {
    if (!error.code) throw error;
  }
}
process.stdout.write(`held ${JSON.stringify(held)}\n`);
process.stdin.once('data', () => process.exit(0));
