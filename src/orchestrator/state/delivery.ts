/** What a person did with the files of a session. A type, not an interface, so it is a JSON value. */
export type Delivery = {
  /** `proposed`: as a pull request; `undone`: delivered, and taken back since. */
  readonly kind: 'delivered' | 'proposed' | 'kept' | 'discarded' | 'undone';
  readonly at: number;
  /** The branch that got it, or that it is proposed for. */
  readonly base?: string;
  /** The session's own branch, where that has it. */
  readonly branch?: string;
  /** On the base; of a session that was kept or proposed, on its own branch; of one that was undone, what undid it. */
  readonly commit?: string;
  /** Of the pull request. */
  readonly url?: string;
};
