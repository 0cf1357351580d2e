import { processEnvironment } from '../../config/terminal.ts';
import type { FileChange } from '../../config/trust/decision.ts';
import { lookAtTrust, type ProjectTrust } from '../../config/trust/project-trust.ts';
import { action } from '../../kernel/action.ts';
import { DeniedError } from '../../kernel/errors.ts';
import { count } from '../../kernel/words.ts';
import { trackedState } from '../../workspace/git/tracked-state.ts';
import { FOLDER, type Place } from '../place.ts';
import { closeStateFolder } from '../state-folder.ts';

/** Refuses a project that its person does not trust as it is now; gives the digest of what was looked at. */
export async function requireTrust(place: Place): Promise<string> {
  const { dir } = place;
  await refuseTrackedState(dir);
  const looked = lookAtTrust(dir, processEnvironment());
  if (!looked.decision.trusted) throw untrusted(looked);
  closeStateFolder(place);
  return looked.digest;
}

/** Sessions and a backlog that came with a clone are somebody else's; nothing in them is continued here. */
export async function refuseTrackedState(dir: string): Promise<void> {
  const names = await trackedState(dir);
  if (names.length === 0) return;
  const paths = names.map((name) => `${FOLDER}/${name}`);
  throw new DeniedError(
    `git tracks ${paths.join(', ')} in ${dir}: state that was made elsewhere and came with the repository. Nothing in it is run or continued.`,
    { next: `Remove it, and commit that: git rm -r -q ${paths.join(' ')}` },
  );
}

function untrusted({ path, decision }: ProjectTrust): DeniedError {
  const changed = 'changes' in decision ? decision.changes : undefined;
  const why =
    changed === undefined
      ? `You have not said yet that you trust ${path}: its programs would be started, and what its files say would be done.`
      : `What steers ${path} is not as you trusted it: ${listed(changed)}.`;
  return new DeniedError(`${why} Nothing was started.`, {
    next: action('project.trust', 'Look at what it would run, then trust it'),
  });
}

const SHOWN = 5;

function listed(changes: readonly FileChange[]): string {
  const named = changes.slice(0, SHOWN).map(({ path, change }) => `${path} was ${change}`);
  const more = changes.length - named.length;
  return [...named, ...(more > 0 ? [`and ${count(more, 'more file')}`] : [])].join(', ');
}
