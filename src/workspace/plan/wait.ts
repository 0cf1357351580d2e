import type { Holder } from '../../backlog/change-set.ts';
import type { Blocker, Plans } from '../../backlog/plans.ts';

/** What became of whoever stands in the way; `stuck` is why it will not end by itself. */
export interface BlockerState {
  readonly stuck?: string;
}

export interface WaitOptions {
  readonly cancel?: AbortSignal;
  /** Called when what the session waits for has changed. */
  readonly onWait?: (waitsFor: readonly WaitReason[]) => void;
  /** Looks at who is behind a blocker. */
  readonly look?: (blocker: Holder) => BlockerState;
}

export interface WaitReason extends Blocker {
  readonly stuck?: string;
}

/** A session that dies writes nothing, so the blockers are looked at again now and then. */
const LOOK_AGAIN_MS = 2000;

/** Waits until the way of a session is free and takes it; false when it was cancelled. */
export async function waitForTurn(
  plans: Plans,
  session: string,
  options: WaitOptions = {},
): Promise<boolean> {
  let told = '';
  const cancel = options.cancel ?? new AbortController().signal;
  while (!cancel.aborted) {
    const admission = await plans.admit(session);
    if (admission.admitted) return true;
    const reasons = admission.waitsFor.map((blocker) => ({ ...blocker, ...options.look?.(blocker) }));
    const text = JSON.stringify(reasons);
    if (text !== told) options.onWait?.(reasons);
    told = text;
    await changedOrDue(plans, cancel);
  }
  return false;
}

async function changedOrDue(plans: Plans, cancel: AbortSignal): Promise<void> {
  const due = AbortSignal.timeout(LOOK_AGAIN_MS);
  await plans.changed(undefined, AbortSignal.any([cancel, due]));
}
