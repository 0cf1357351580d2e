import type { ContextSegment } from '../../manifest/segment.ts';
import type { Baseline } from '../../verification/baseline.ts';

/** Agents learn what was red before they began, so they need not take it for their own doing. */
export function baselinePayload(baseline: Baseline | null): ContextSegment[] {
  if (baseline === null || baseline.checks.length === 0) return [];
  return [{ id: 'baseline', type: 'BASELINE', content: baseline }];
}
