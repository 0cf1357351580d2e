import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
export async function configureDemo(dir: string, agent: readonly string[]): Promise<void> {
  mkdirSync(join(dir, '.loopwright'), { recursive: true });
  writeFileSync(
    join(dir, '.loopwright/config.json'),
    JSON.stringify({
      commands: { test: [process.execPath, '--test'] },
      workers: { Coder: { command: agent } },
    }),
  );
}
