import { join } from 'node:path';
import * as z from 'zod';
import { readPlain } from '../../process/plain-file.ts';
import { matcher } from '../policy/violations.ts';
import { frameThresholds } from './judge-frame.ts';

const texts = z.array(z.string()).default([]);
const whenChanged = { whenChangedAny: texts, whenChangedAll: texts };

const shape = z.object({
  /** Always. */
  commands: texts,
  byRole: z.record(z.string(), z.array(z.string())).default({}),
  rules: z.array(z.object({ ...whenChanged, commands: texts })).default([]),
  visualProbes: z
    .array(
      z.object({
        id: z.string().min(1),
        captureCommand: z.string().min(1),
        imagePath: z.string().min(1),
        skipExitCodes: z.array(z.int()).default([]),
        ...whenChanged,
        ...frameThresholds,
      }),
    )
    .default([]),
});

export type VerifyContract = z.output<typeof shape>;
export type VisualProbe = VerifyContract['visualProbes'][number];

const NOTHING = shape.parse({});

/** Where a contract is looked for when nobody says where it is. */
const USUAL_PATHS = ['.opentiger/verify.contract.json', '.loopwright/verify.contract.json'];

/** What the project in a folder wants to be checked. A broken file counts as absent. */
export function readContract(folder: string | undefined, path?: string): VerifyContract {
  if (folder === undefined) return NOTHING;
  const paths = path === undefined ? USUAL_PATHS : [path];
  const text = paths.map((each) => readIfThere(join(folder, each))).find((found) => found !== undefined);
  return (text === undefined ? undefined : parseContract(text)) ?? NOTHING;
}

/** Those that always hold, those of the role, those of the changed files, in this order. */
export function contractCommands(
  contract: VerifyContract,
  role: string,
  changed: readonly string[],
): string[] {
  const byChange = contract.rules.filter((rule) => isMeant(rule, changed));
  const commands = [
    ...contract.commands,
    ...(contract.byRole[role] ?? []),
    ...byChange.flatMap((rule) => rule.commands),
  ];
  return [...new Set(commands.map((command) => command.trim()))].filter((command) => command !== '');
}

interface WhenChanged {
  readonly whenChangedAny: readonly string[];
  readonly whenChangedAll: readonly string[];
}

/** `Any`: one changed file fits one pattern. `All`: every pattern has a changed file that fits it. */
export function isMeant(
  { whenChangedAny, whenChangedAll }: WhenChanged,
  changed: readonly string[],
): boolean {
  const any = matcher(whenChangedAny);
  if (whenChangedAny.length > 0 && !changed.some((path) => any(path))) return false;
  return whenChangedAll.every((pattern) => {
    const fits = matcher([pattern]);
    return changed.some((path) => fits(path));
  });
}

function parseContract(text: string): VerifyContract | undefined {
  try {
    const parsed = shape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readPlain(file).toString('utf8');
  } catch {
    return undefined;
  }
}
