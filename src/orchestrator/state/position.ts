/** A place in the journal of a session: so many bytes of the file of that epoch. */
export interface JournalPosition {
  readonly epoch: number;
  readonly offset: number;
}
