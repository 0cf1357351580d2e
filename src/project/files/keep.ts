import { join } from 'node:path';
import { action } from '../../kernel/action.ts';
import { keep as keepWork } from '../../workspace/delivery/put-away.ts';
import type { OpenProject } from '../open.ts';
import { baseOf } from './base-branch.ts';
import { ACCEPT_SECRETS, doubted, refusal, refuseSecrets } from './deliver.ts';
import { gateChecks } from './gate-checks.ts';
import { noteDelivery } from './note-delivery.ts';
import { openKeptSession, refuseOwned } from './opened-session.ts';
import { messageFor } from './session-message.ts';
import { findFolder, proofOf } from './session-proof.ts';
import { leavePlans } from './turns.ts';

/** Leaves the work on its branch, all of it committed. */
export async function keep(
  opened: OpenProject,
  written: string | undefined,
  { message, acceptSecrets }: { readonly message?: string; readonly acceptSecrets?: string } = {},
) {
  const kept = await openKeptSession(opened, written);
  refuseOwned(kept);
  const { id, worktree, repo, path, branch } = kept;
  await findFolder(kept);
  const { doubts, tree } = await proofOf(kept);
  const checks = await gateChecks(opened, kept.snapshot, { tree: undefined, root: join(path, repo.prefix) });
  const work = {
    repo: repo.dir,
    base: worktree?.baseCommit ?? (await baseOf(kept, undefined)),
    worktree: path,
    branch,
    session: id,
    message: doubted(message ?? messageFor(kept.snapshot, checks.seen), doubts, 'kept'),
    ...(tree === undefined ? {} : { tree }),
  };
  const acceptWith = action('session.keep', ACCEPT_SECRETS, { session: id, acceptSecrets: '<reason>' });
  const { masker } = opened.services;
  const secrets = await refuseSecrets({ ...work, masker, acceptSecrets, acceptWith });
  const result = await keepWork({ ...work, message: [work.message.trimEnd(), ...secrets].join('\n\n') });
  if (result.kind === 'refused') throw refusal(result);
  await leavePlans(opened.project, id);
  await noteDelivery(opened, id, { kind: 'kept', branch, commit: result.commit });
  return { session: id, branch, ...result };
}
