import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Longest first: two files run at a time, so two CLIs at most.
const files = [
  import.meta.resolve('./opencode.real.ts'),
  import.meta.resolve('./gemini.real.ts'),
  import.meta.resolve('./claude.real.ts'),
  import.meta.resolve('./codex.real.ts'),
  import.meta.resolve('./loops.real.ts'),
].map((url) => fileURLToPath(url));

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
