import * as z from 'zod';
import { isGenuine } from '../../manifest/origin.ts';
import { contentValue, type ExecutionPayload } from '../../manifest/segment.ts';

/** What the engine notes when it has looked at what became of the checks; the newest one counts. */
export const SUSPICIOUS_CHANGE = 'SUSPICIOUS_CHANGE';

/** Everything that was found out about the checks of a piece of work. */
export const TEST_EVIDENCE = 'TEST_EVIDENCE';

const change = z.object({
  /** Which rule found it, such as `test_removed`. */
  rule: z.string(),
  /** `hard`: nothing is delivered unless a person says why; `soft`: it is told. */
  weight: z.enum(['hard', 'soft']),
  path: z.string(),
  line: z.number().optional(),
  what: z.string(),
  test: z.string().optional(),
});

const content = z.object({
  /** The tree that was looked at. */
  tree: z.string(),
  /** Empty: it was looked at, and nothing was found. */
  found: z.array(change),
});

/** A change that makes a green check worth less. Types, not interfaces, so that it is a JSON value. */
export type SuspiciousChange = z.infer<typeof change>;
export type SuspiciousChanges = z.infer<typeof content>;

/** What was found last, by the engine's own word; undefined when nobody has looked. */
export function latestSuspicious(payload: ExecutionPayload): SuspiciousChanges | undefined {
  const segment = payload.findLast((each) => isGenuine(each, SUSPICIOUS_CHANGE));
  // One that cannot be read is no proof of innocence.
  return segment && content.parse(contentValue(segment));
}

export function hardChanges({ found }: SuspiciousChanges): SuspiciousChange[] {
  return found.filter(({ weight }) => weight === 'hard');
}

/** One line for people: where, what, and by which rule. */
export function suspiciousLine({ path, line, what, rule }: SuspiciousChange): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${what} (${rule})`;
}
