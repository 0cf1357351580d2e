import { afterAll, beforeAll, describe, it } from 'vitest';
import { Lab } from '../lab.ts';
import { wall } from '../launch.ts';
import type { Observed } from '../observed.ts';
import { isCancelled, isEndedByOurLimit } from './endings.ts';
import type { Profile } from './profile.ts';
import { isDenied, isNotLoggedIn, meetsQuota, meetsQuotaWithReset, onlyReads, recovers } from './refusals.ts';
import {
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
    /** Two scenarios look at this run, whichever of them is chosen. */
    const theFirst = async (): Promise<Observed> => (first ??= firstRun(lab));

    beforeAll(async () => {
      lab = await Lab.open(profile.cli);
    });
    afterAll(async () => {
      await lab.close();
    });

    it('writes a file', async () => writesAFile(profile, await theFirst()));
    it('tells tokens and cost of a model', async () => tellsItsUse(profile, lab));
    it('continues its conversation', async () => continues(profile, lab, await theFirst()));
    it('continues on its terminal', async () => continuesOnItsTerminal(profile, lab, await theFirst()));
    it('is denied a tool', async () => isDenied(profile, lab));
    it('only reads', async () => onlyReads(profile, lab));
    it('recovers from a 429', async () => recovers(profile, lab));
    it('meets a quota', async () => meetsQuota(profile, lab));
    it('meets a quota with a reset time', async () => meetsQuotaWithReset(profile, lab));
    it('is not logged in', async () => isNotLoggedIn(profile, lab));
    it('is silent until our limit', async () => isEndedByOurLimit(profile, lab));
    it('is cancelled', async () => isCancelled(profile, lab));
    it('takes a yes on its terminal', async () => takesAYes(profile, lab));
    it('takes a no on its terminal', async () => takesANo(profile, lab));
    it('asks on its stream', async () => asksOnItsStream(profile, lab));
    it('continues across permissions', async () => continuesAcross(profile, lab));
    it('takes any prompt', async () => takesAnyPrompt(lab));
    it('does not sleep for hours', async () => doesNotSleepForHours(profile, lab));
    it('is ended in circles', async () => isEndedInCircles(lab));
    it('counts what a killed run used', async () => countsWhatAKilledRunUsed(profile, lab));
    it.skipIf(wall === undefined)('is kept in its tree', async () => isKeptIn(lab));
  });
}
