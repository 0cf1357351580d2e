import type { AgentConversation } from '../../adapter.ts';
import { plainTraits } from '../acp/plain.ts';
import type { AcpTraits } from '../acp/traits.ts';

/** `opencode acp`. It writes files by itself and asks for the same again, whatever we can and whatever we answer. */
export function opencodeTraits(resume: AgentConversation | undefined): AcpTraits {
  return { ...plainTraits(resume), tells: ['fs/write_text_file'] };
}
