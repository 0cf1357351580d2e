import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LaunchConfig } from '../adapter.ts';
import type { LaunchRequest } from './agent-process.ts';
import type { RunnerSettings } from './options.ts';
import type { TerminalSize } from './runner.ts';

export const DEFAULT_SIZE: TerminalSize = { columns: 80, rows: 30 };

/** What the adapter and the owner of a run want, as one request. */
export function launchRequest(
  config: LaunchConfig,
  options: RunnerSettings,
  noInput: boolean,
): LaunchRequest {
  const { cwd, env, taskEnv, marker, wall, program, size = DEFAULT_SIZE } = options;
  return {
    command: program?.(config.command) ?? config.command,
    args: config.args,
    cwd,
    env: { ...env, ...config.env, ...taskEnv },
    // Without one of its own a run could not find those of its processes that left the group.
    marker: marker ?? { session: `run-${randomUUID()}` },
    wall,
    noInput,
    input: config.input,
    size,
  };
}

export async function writeLaunchFiles({ files = [] }: LaunchConfig): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600 });
  }
}
