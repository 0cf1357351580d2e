/** Waiting without asking again and again: each store knows best how it learns of writes. */
export interface Changes {
  /**
   * Resolves when somebody else has written since this was last asked for work, when it is `until` by the store's
   * clock, or when stopped. It may resolve early: ask again then.
   */
  changed(until: number | undefined, stop: AbortSignal): Promise<void>;
}
