import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const PROGRAMS = ['src/agents/runner/host/pty-host.ts', 'src/process/sandbox/bridge.ts'];

/**
 * Tests run the sources, but the host of a terminal and the bridge into a sandbox are processes of their own, and
 * Node 20 runs no TypeScript. Two files are bundled faster than everything is built.
 */
export default async function setup(): Promise<void> {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  for (const program of PROGRAMS) {
    const { output } = await build({
      input: join(root, program),
      platform: 'node',
      output: { format: 'esm' },
      write: false,
    });
    const file = join(root, '.cache', basename(program).replace(/\.ts$/, '.mjs'));
    const aside = `${file}.${process.pid}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(aside, output[0].code);
    // At once: a test run beside this one may be starting it.
    renameSync(aside, file);
  }
}
