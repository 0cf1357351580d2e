/** One call, as it is written down: no body, no query. */
export interface Access {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** Which caller, by a name that opens nothing. */
  readonly caller: string | null;
}

export type NoteAccess = (access: Access) => void;
