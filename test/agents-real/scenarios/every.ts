import { afterAll, beforeAll, describe, it } from 'vitest';
import { Lab } from '../lab.ts';
import { wall } from '../launch.ts';
import type { Observed } from '../observed.ts';
import { isCancelled, isEndedByOurLimit } from './endings.ts';
import type { Profile } from './profile.ts';
import { isDenied, isNotLoggedIn, meetsQuota, meetsQuotaWithReset, onlyReads, recovers } from './refusals.ts';
import {
  countsWhatACutRunUsed,
  countsWhatAKilledRunUsed,
  doesNotSleepForHours,
  isEndedInCircles,
  takesAnyPrompt,
} from './second-round.ts';
import { asksOnItsStream, continuesAcross } from './stream-question.ts';
import { continuesOnItsTerminal, takesANo, takesAYes } from './terminal.ts';
import { isKeptIn } from './wall.ts';
import { continues, firstRun, tellsItsUse, writesAFile } from './work.ts';

/** The same table for every CLI; what differs is in its profile. */
export function everyScenario(profile: Profile): void {
  describe(profile.cli, () => {
    let lab: Lab;
    let first: Promise<Observed> | undefined;
    /** Beside its outcome, for the table: what the CLI counted of what it was served. */
    const scenario = (name: string, run: () => void | Promise<void>, { skip = false } = {}): void => {
      it.skipIf(skip || profile.lacks?.[name] !== undefined)(name, async ({ task }) => {
        try {
          await run();
        } finally {
          Object.assign(task.meta, lab.tally());
        }
      });
    };
    /** Two scenarios look at this run, whichever of them is chosen. */
    const theFirst = async (): Promise<Observed> => (first ??= firstRun(lab));

    beforeAll(async () => {
      lab = await Lab.open(profile.cli);
    });
    afterAll(async () => {
      await lab.close();
    });

    scenario('writes a file', async () => writesAFile(profile, await theFirst()));
    scenario('tells tokens and cost of a model', async () => tellsItsUse(profile, lab));
    scenario('continues its conversation', async () => continues(profile, lab, await theFirst()));
    scenario('continues on its terminal', async () => continuesOnItsTerminal(profile, lab, await theFirst()));
    scenario('is denied a tool', async () => isDenied(profile, lab));
    scenario('only reads', async () => onlyReads(profile, lab));
    scenario('recovers from a 429', async () => recovers(profile, lab));
    scenario('meets a quota', async () => meetsQuota(profile, lab));
    scenario('meets a quota with a reset time', async () => meetsQuotaWithReset(profile, lab));
    scenario('is not logged in', async () => isNotLoggedIn(profile, lab));
    scenario('is silent until our limit', async () => isEndedByOurLimit(profile, lab));
    scenario('is cancelled', async () => isCancelled(profile, lab));
    scenario('takes a yes on its terminal', async () => takesAYes(profile, lab));
    scenario('takes a no on its terminal', async () => takesANo(profile, lab));
    scenario('asks on its stream', async () => asksOnItsStream(profile, lab));
    scenario('continues across permissions', async () => continuesAcross(profile, lab));
    scenario('takes any prompt', async () => takesAnyPrompt(profile, lab));
    scenario('does not sleep for hours', async () => doesNotSleepForHours(profile, lab));
    scenario('is ended in circles', async () => isEndedInCircles(lab));
    scenario('counts what a killed run used', async () => countsWhatAKilledRunUsed(profile, lab));
    scenario('counts what a cut run used', async () => countsWhatACutRunUsed(profile, lab));
    scenario('is kept in its tree', async () => isKeptIn(profile, lab), { skip: wall === undefined });
  });
}
