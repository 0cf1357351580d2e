// How often the disk can be told "append this and make it permanent" in a second.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteOf } from './note.mjs';

const folder = mkdtempSync(join(tmpdir(), 'flush-bench-'));
const fd = openSync(join(folder, 'file'), 'a');
const line = noteOf(1, 1024 + 250);
const ROUNDS = 1000;
const began = performance.now();
for (let i = 0; i < ROUNDS; i++) {
  writeSync(fd, line);
  fdatasyncSync(fd);
}
const ms = performance.now() - began;
closeSync(fd);
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify({ flushesPerSecond: (ROUNDS / ms) * 1000 }));
