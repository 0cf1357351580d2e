import type { ReactElement } from 'react';
import { StatusWord } from './status.tsx';

const WORDS: { readonly [status: string]: string } = { WAITING_FOR_USER: 'waits for you', DONE: 'done' };

/** How an agent of a stage stands. One that has ended is called done only by who knows that nothing speaks against it. */
export function StageStatus({
  status,
  problem,
}: {
  readonly status: string;
  /** Empty: nothing speaks against it; undefined: nobody knows. */
  readonly problem?: string | undefined;
}): ReactElement {
  if (status === 'DONE' && problem === undefined) return <StatusWord word="ended" />;
  if (status === 'DONE' && problem !== '') return <StatusWord word="failed" shown="not done" />;
  return <StatusWord word={status} shown={WORDS[status] ?? status.toLowerCase()} />;
}
