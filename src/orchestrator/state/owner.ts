import type { ProcessIdentity } from '../../process/identity.ts';

/** The process that may write a session's journal, recognisable after its pid was given to another. */
export type Owner = ProcessIdentity;
