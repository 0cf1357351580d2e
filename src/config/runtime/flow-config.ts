import type { JsonObject } from '../../kernel/json.ts';
import type { RuntimeConfig } from './load.ts';

/**
 * The settings that a task's flow may name as `{{config.x}}`, in the units a manifest counts in: the sections
 * that say how work is checked, and nothing of where it comes from or who does it.
 */
export function flowConfig({ values: { verify, policy, research } }: RuntimeConfig): JsonObject {
  return {
    verify,
    policy: { ...policy, minutes: policy.seconds / 60 },
    research: { ...research, asks: research.reasks + 1 },
  };
}
