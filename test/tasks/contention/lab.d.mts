export interface Contention {
  readonly kills: number;
  readonly stops: number;
  readonly insideTransaction: number;
  readonly refused: number;
  readonly seconds: number;
  readonly errors: string;
  readonly wrong: readonly string[];
}

export function contend(options: {
  readonly processes: number;
  readonly tasks: number;
  readonly seed: number;
  readonly every: number;
}): Promise<Contention>;
