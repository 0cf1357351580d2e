import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { chosenFrom } from './subset.mjs';

// Longest first: two files run at a time, so two CLIs at most.
const LONGEST = ['opencode', 'gemini', 'qwen'];
const place = (name) => (LONGEST.includes(name) ? LONGEST.indexOf(name) : LONGEST.length);
const files = chosenFrom()
  .toSorted((a, b) => place(a) - place(b))
  .map((name) => fileURLToPath(new URL(`${name}.real.ts`, import.meta.url)));

export default defineConfig({
  root: dirname(dirname(dirname(fileURLToPath(import.meta.url)))),
  test: {
    name: 'agents',
    include: files,
    // The host of a terminal and the bridge through the wall: these tests run by themselves, also in a fresh clone.
    globalSetup: ['test/pty-host-setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', './test/agents-real/table.mjs', './scripts/closing-line.mjs'],
  },
});
