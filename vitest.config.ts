import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // Only the whole-system tests run the built command: a unit test does not wait for a build.
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['src/**/*.test.ts'], globalSetup: ['test/pty-host-setup.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/global-setup.ts', 'test/pty-host-setup.ts'],
        },
      },
    ],
  },
});
