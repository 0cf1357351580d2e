import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { useQuickTemp } from './test/quick-temp.ts';
import { useOwnUserFolder } from './test/user-folder.ts';

useQuickTemp();
useOwnUserFolder();

export default defineConfig({
  test: {
    // A limit is for what hangs: on a machine with ten times the load everything takes ten times as long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // One more than there are cores: a test that waits for a process of its own leaves one idle.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    sequence: { sequencer: LongestFirst },
    // Only the whole-system tests run the built command: a unit test does not wait for a build.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'dashboard/src/**/*.test.ts'],
          globalSetup: ['test/pty-host-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          // Loaded as Node loads it for a user, once, and not transformed.
          server: { deps: { external: [/\/dist\//] } },
          globalSetup: ['test/global-setup.ts', 'test/pty-host-setup.ts'],
        },
      },
    ],
  },
});
