import { realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { checkRelativePath } from '../../kernel/path-rules.ts';
import { isInside } from '../../process/sandbox/enclosure.ts';
import { type RunProgram, runChain } from '../commands/run-chain.ts';
import type { ProbeRecord } from '../report.ts';
import { isMeant, type VisualProbe } from './contract.ts';
import { emptinessOf } from './judge-frame.ts';
import { readPng } from './png.ts';

export interface ProbeInput {
  readonly probes: readonly VisualProbe[];
  readonly root: string;
  readonly changed: readonly string[];
  readonly denied: readonly string[];
}

/** Takes the pictures that the contract asks for: they must be new, and show something. */
export async function runProbes(input: ProbeInput, run: RunProgram): Promise<ProbeRecord[]> {
  const records: ProbeRecord[] = [];
  for (const probe of input.probes.filter((one) => isMeant(one, input.changed))) {
    records.push({ id: probe.id, ...(await runProbe(probe, input, run)) });
  }
  return records;
}

async function runProbe(
  probe: VisualProbe,
  { root, denied }: ProbeInput,
  run: RunProgram,
): Promise<Omit<ProbeRecord, 'id'>> {
  const { captureCommand, imagePath, skipExitCodes } = probe;
  const wrong = checkRelativePath(imagePath);
  if (wrong !== undefined) return { result: 'failed', reason: `the path of its image ${wrong}` };
  if (!PLAIN_ID.test(probe.id))
    return { result: 'failed', reason: 'its id may only have letters, digits, "-", "_" and dots inside' };
  const image = join(root, imagePath);
  if (leadsOut(root, image)) return { result: 'failed', reason: `${imagePath} leads out of the project` };
  const before = await changedAt(image);
  const { ok, exitCode, failure } = await runChain(captureCommand, { root, cwd: root, denied }, run);
  if (exitCode !== null && skipExitCodes.includes(exitCode)) {
    return { result: 'skipped', reason: `exit code ${exitCode} means that there is nothing to see` };
  }
  if (!ok) return { result: 'failed', reason: `\`${captureCommand}\` ${failure?.end ?? 'failed'}` };
  const after = await changedAt(image);
  if (leadsOut(root, image)) return { result: 'failed', reason: `${imagePath} leads out of the project` };
  if (after === undefined) return { result: 'failed', reason: `${imagePath} was not made` };
  if (after === before) return { result: 'failed', reason: `${imagePath} is an old picture` };
  const picture = readPng(await readFile(image));
  if (!picture) return { result: 'passed', reason: `${imagePath} is new; its content could not be judged` };
  const empty = emptinessOf(picture, probe);
  if (empty !== undefined) return { result: 'failed', reason: `${imagePath} shows nothing: ${empty}` };
  return { result: 'passed', reason: `${imagePath} is new and shows something` };
}

/** Names a file of its own in whatever folder, and none beside it. */
const PLAIN_ID = /^[\w-]+(?:\.[\w-]+)*$/;

/** Whether links on the way to a file end outside. */
function leadsOut(root: string, file: string): boolean {
  for (let path = file; path !== root; path = dirname(path)) {
    const real = realpathIfThere(path);
    if (real !== undefined) return !isInside(realpathSync(root), real);
  }
  return false;
}

function realpathIfThere(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

async function changedAt(file: string): Promise<bigint | undefined> {
  try {
    return (await stat(file, { bigint: true })).mtimeNs;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
