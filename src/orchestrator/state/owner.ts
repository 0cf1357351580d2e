import type { ProcessIdentity } from '../../kernel/process-identity.ts';

/** The process that may write a session's journal, recognisable after its pid was given to another. */
export type Owner = ProcessIdentity;
