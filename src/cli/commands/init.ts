import type { Screen } from '../output.ts';
export interface InitOptions {
  readonly yes?: true;
  readonly force?: true;
  readonly dir?: string;
  readonly json?: true;
}
export async function init(_screen: Screen, _options: InitOptions): Promise<number> {
  return 0;
}
