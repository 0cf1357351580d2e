/** What the caller knows about the owner of a worktree: a session, or a task with its sessions. */
export interface KnownSession {
  /** The id its worktree was made with. */
  readonly id: string;
  /** It can still go on: then nothing of it is ever removed. */
  readonly resumable: boolean;
  /** Its result was accepted or discarded, so commits that are merged nowhere may go. */
  readonly delivered?: boolean;
}
