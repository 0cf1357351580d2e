/** A command that a project says it has, and where it says so. */
export interface Found {
  readonly command: readonly string[];
  readonly from: string;
}

export interface DetectedCommands {
  readonly test?: Found;
  readonly lint?: Found;
  readonly build?: Found;
}
