import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject } from '../../kernel/json.ts';
import { createMasker } from '../../kernel/mask.ts';
import type { Environment } from '../../process/child-env.ts';
import type { RunProcess } from '../../process/request.ts';
import { runtimeFolder } from '../../process/runtime-folder.ts';
import type { AdapterDefinition } from '../definition/shape.ts';

export interface AgentVersion {
  readonly version: string;
  readonly from: 'package.json' | 'program';
}

const ASK_LIMIT_MS = 15_000;
const HIGHEST = 6;

/** From the package that holds the program, which costs nothing; else from the program itself. */
export async function agentVersion(
  binary: AdapterDefinition['binary'],
  path: string,
  realPath: string,
  ask: { readonly run: RunProcess; readonly env: Environment },
): Promise<AgentVersion | undefined> {
  const packaged = packageVersion(realPath, binary.npmPackage);
  if (packaged !== undefined) return { version: packaged, from: 'package.json' };
  const said = await inEmptyFolder((cwd) =>
    ask.run({
      argv: [path, ...binary.versionArgs],
      cwd,
      env: ask.env,
      masker: createMasker([]),
      streams: 'separate',
      timeoutMs: ASK_LIMIT_MS,
    }),
  );
  if (said.kind !== 'exited' || said.code !== 0) return undefined;
  const version = /\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?/.exec(said.output.text)?.[0];
  return version === undefined ? undefined : { version, from: 'program' };
}

/** Where no file tells a program what to load, and where what it writes goes with the folder. */
async function inEmptyFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(runtimeFolder(), 'ask-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function packageVersion(realPath: string, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  let folder = dirname(realPath);
  for (let level = 0; level < HIGHEST; level++) {
    const version = versionIn(join(folder, 'package.json'), name);
    if (version !== undefined) return version;
    folder = dirname(folder);
  }
  return undefined;
}

function versionIn(file: string, name: string): string | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isJsonObject(read) || read['name'] !== name) return undefined;
    return typeof read['version'] === 'string' ? read['version'] : undefined;
  } catch {
    // No package.json on this level, or none that can be read: look further up.
    return undefined;
  }
}

/** Whether a version is older than the least one that is known to work. */
export function isOlder(version: string, minimum: string): boolean {
  const [a, b] = [version, minimum].map((text) =>
    text.split(/[.-]/).map((part) => Number.parseInt(part, 10)),
  );
  for (let at = 0; at < 3; at++) {
    const [left, right] = [a?.[at] || 0, b?.[at] || 0];
    if (left !== right) return left < right;
  }
  return false;
}
