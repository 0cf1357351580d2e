import { createContext, useContext } from 'react';
import type { ReplyOf } from '../../../src/api/routes/routes.ts';

export type Me = ReplyOf<'me'>;

export const MeContext = createContext<Me | undefined>(undefined);

/** What is served, and what may be done with it. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('Nobody is logged in.');
  return me;
}
