import { createHash } from 'node:crypto';
import type { ProviderSettings } from '../config/providers.ts';
import { LoopwrightError } from '../kernel/errors.ts';
import { createMasker } from '../kernel/mask.ts';
import type { Environment } from '../process/child-env.ts';
import { runProcess } from '../process/run.ts';
import type { FindProvider, ModelKey, Provider } from './provider.ts';

const KEY_COMMAND_MS = 60_000;

/** Finds providers among the settings; a command that prints keys is run once, when the first of them is needed. */
export function providerFinder(
  settings: readonly ProviderSettings[],
  { env, folder }: { readonly env: Environment; readonly folder: string },
): FindProvider {
  const printed = new Map<string, Promise<readonly ModelKey[]>>();
  return async (name) => {
    const found = settings.find((each) => each.name === name);
    if (!found || (found.kind === 'openai-compatible' && found.baseUrl === undefined)) return undefined;
    const { keyCommand, ...provider } = found;
    if (keyCommand === undefined) return provider satisfies Provider;
    const keys = printed.get(name) ?? printedKeys(keyCommand, { env, folder });
    printed.set(name, keys);
    return { ...provider, keys: [...provider.keys, ...(await keys)] };
  };
}

async function printedKeys(
  argv: readonly string[],
  { env, folder }: { readonly env: Environment; readonly folder: string },
): Promise<readonly ModelKey[]> {
  // Kept in memory and nowhere else: no log, and nothing that would mask what we need.
  const ended = await runProcess({
    argv,
    cwd: folder,
    env,
    masker: createMasker([]),
    streams: 'separate',
    timeoutMs: KEY_COMMAND_MS,
  });
  if (ended.kind !== 'exited' || ended.code !== 0) {
    throw new LoopwrightError(`The command that prints model keys (${argv[0]}) did not succeed.`, {
      next: 'Run it by hand, then try again.',
    });
  }
  const values = ended.output.text.split('\n').flatMap((line) => line.trim() || []);
  return values.map((value) => ({ name: `key ${fingerprint(value)} of ${argv[0]}`, value }));
}

/** So that a key keeps its name whatever order they are printed in. */
function fingerprint(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 6);
}
