// Writes the given number of mebibytes as numbered lines, then ends with the given exit code.
import { writeSync } from 'node:fs';

const [, , mebibytes = '1', exitCode = '0'] = process.argv;
const line = (n) => `line ${String(n).padStart(10, '0')} ${'x'.repeat(47)}\n`;
const perBlock = 1024;
const blocks = (Number(mebibytes) * 1024 * 1024) / (64 * perBlock);
for (let block = 0; block < blocks; block++) {
  let text = '';
  for (let i = 0; i < perBlock; i++) text += line(block * perBlock + i);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}
process.exitCode = Number(exitCode);
