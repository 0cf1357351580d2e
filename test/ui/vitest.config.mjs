import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { useQuickTemp } from '../quick-temp.ts';
import { useOwnUserFolder } from '../user-folder.ts';

useQuickTemp();
useOwnUserFolder();

export default defineConfig({
  root: dirname(dirname(dirname(fileURLToPath(import.meta.url)))),
  test: {
    name: 'ui',
    include: ['test/ui/**/*.ui.ts'],
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: ['test/global-setup.ts', 'test/pty-host-setup.ts'],
    // For what hangs: a busy machine may take ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', './scripts/closing-line.mjs'],
  },
});
