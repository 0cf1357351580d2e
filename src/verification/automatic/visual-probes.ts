import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { checkRelativePath } from '../../workspace/path-rules.ts';
import { type RunProgram, runChain } from '../commands/run-chain.ts';
import type { ProbeRecord } from '../report.ts';
import { isMeant, type VisualProbe } from './contract.ts';

export interface ProbeInput {
  readonly probes: readonly VisualProbe[];
  readonly root: string;
  readonly changed: readonly string[];
  readonly denied: readonly string[];
}

/** Takes the pictures that the contract asks for. What is in them is not looked at; that they are new is. */
export async function runProbes(input: ProbeInput, run: RunProgram): Promise<ProbeRecord[]> {
  const records: ProbeRecord[] = [];
  for (const probe of input.probes.filter((one) => isMeant(one, input.changed))) {
    records.push({ id: probe.id, ...(await runProbe(probe, input, run)) });
  }
  return records;
}

async function runProbe(
  { captureCommand, imagePath, skipExitCodes }: VisualProbe,
  { root, denied }: ProbeInput,
  run: RunProgram,
): Promise<Omit<ProbeRecord, 'id'>> {
  const wrong = checkRelativePath(imagePath);
  if (wrong !== undefined) return { result: 'failed', reason: `the path of its image ${wrong}` };
  const image = join(root, imagePath);
  const before = await changedAt(image);
  const { ok, exitCode, failure } = await runChain(captureCommand, { root, cwd: root, denied }, run);
  if (exitCode !== null && skipExitCodes.includes(exitCode)) {
    return { result: 'skipped', reason: `exit code ${exitCode} means that there is nothing to see` };
  }
  if (!ok) return { result: 'failed', reason: `\`${captureCommand}\` ${failure?.end ?? 'failed'}` };
  const after = await changedAt(image);
  if (after === undefined) return { result: 'failed', reason: `${imagePath} was not made` };
  if (after === before) return { result: 'failed', reason: `${imagePath} is an old picture` };
  return { result: 'passed', reason: `${imagePath} is new; its content was not judged` };
}

async function changedAt(file: string): Promise<bigint | undefined> {
  try {
    return (await stat(file, { bigint: true })).mtimeNs;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
