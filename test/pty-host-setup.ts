import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/**
 * Tests run the sources, but the host of a terminal is a process of its own, and Node 20 runs no TypeScript. One file is
 * bundled faster than everything is built.
 */
export default async function setup(): Promise<void> {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const { output } = await build({
    input: join(root, 'src/agents/runner/host/pty-host.ts'),
    platform: 'node',
    output: { format: 'esm' },
    write: false,
  });
  const file = join(root, '.cache/pty-host.mjs');
  const aside = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(aside, output[0].code);
  // At once: a test run beside this one may be starting it.
  renameSync(aside, file);
}
