interface Result {
  readonly state: string;
  readonly ms: number;
  readonly counted?: number;
  readonly served?: number;
}
type Results = { readonly [scenario: string]: { readonly [cli: string]: Result } };

interface Test {
  readonly name: string;
  readonly parent: { readonly type: string; readonly name: string };
  meta(): object;
  result(): { readonly state: string };
  diagnostic(): { readonly duration: number } | undefined;
}

export function resultsOf(tests: readonly Test[]): Results;
export function tableOf(results: Results, clis: readonly string[]): string;
