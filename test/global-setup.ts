import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleVictims } from './victims.mjs';

/** The whole-system tests run the command as it is shipped. */
export default async function setup(): Promise<void> {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-changed'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await bundleVictims();
}
