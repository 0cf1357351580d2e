import type { InspectInput, TreeRun } from './evidence.ts';
import { named, notReproduced } from './not-reproduced.ts';
import { type Ports, runOn, type Tried, treeRun } from './runs-on-trees.ts';

/** Whether the commands may have passed with something that is in the folder of the work and will not be delivered. */
export function wantsAlone({ fresh, undelivered, commands }: InspectInput): boolean {
  if (fresh === 'off' || commands.length === 0) return false;
  return fresh === 'always' || undelivered === undefined || undelivered.length > 0;
}

/** Runs the commands, one after the other, on a fresh checkout of exactly what is delivered. */
export async function deliveredAlone(input: InspectInput, { on }: Pick<Ports, 'on'>): Promise<Tried> {
  const { base, delivered, commands } = input;
  const runs: TreeRun[] = [];
  for (const command of commands) {
    const now = await runOn(command, delivered, input, on);
    runs.push(treeRun(now, 'delivered', delivered));
    if (now.green) continue;
    // Whether it can be run in a fresh checkout at all, only the base can tell.
    const before = await runOn(command, base, input, on);
    runs.push(treeRun(before, 'base', base));
    return { runs, redToGreen: [], ...notReproduced(now, before, input) };
  }
  return { runs, redToGreen: [], found: [], notes: [] };
}

/** Why the checks speak for the delivered tree, where nothing was run on it alone. */
export function aloneNote({ fresh, undelivered, commands }: InspectInput): string[] {
  if (commands.length === 0) return [];
  if (fresh !== 'off')
    return ['the checks ran on the delivered files: nothing else in their folder is new or changed'];
  if (undelivered === undefined || undelivered.length === 0) return [];
  return [
    `the checks did not run on the delivered files alone, because that is switched off; new or changed beside them: ${named(undelivered)}`,
  ];
}
