// What the disk alone allows: the flushes that a session of so many steps needs, and nothing else.
// argv: <steps of a session>
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteOf } from './note.mjs';

const steps = Number(process.argv[2] ?? 1000);
const line = noteOf(1, 1024 + 250);
const root = mkdtempSync(join(tmpdir(), 'flush-bench-'));
const ROUNDS = 7;
const WARM_STEPS = 4000;

let sessions = 0;
for (let done = 0; done < WARM_STEPS; done += steps) session();
const spans = Array.from({ length: ROUNDS }, session).sort((a, b) => a - b);
rmSync(root, { recursive: true });
process.stdout.write(JSON.stringify({ stepsPerSecond: (steps / spans[Math.floor(ROUNDS / 2)]) * 1000 }));

/** A folder with its manifest, the note of who owns it and one line for each step, each of them permanent. */
function session() {
  const began = performance.now();
  const folder = join(root, String(++sessions));
  mkdirSync(folder);
  writePermanently(join(folder, 'manifest'));
  flushFolder(root);
  writePermanently(join(folder, 'claim'));
  flushFolder(folder);
  const journal = openSync(join(folder, 'journal'), 'a');
  for (let i = 0; i <= steps; i++) {
    writeSync(journal, line);
    fdatasyncSync(journal);
  }
  closeSync(journal);
  return performance.now() - began;
}

function writePermanently(path) {
  const file = openSync(path, 'w');
  writeSync(file, line);
  fsyncSync(file);
  closeSync(file);
}

function flushFolder(path) {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
