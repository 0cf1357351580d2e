import * as z from 'zod';
import { findJson } from '../../manifest/output/find-json.ts';
import { repaired } from './repair-json.ts';

const text = z.string().trim();
const share = z.number().min(0).max(100).catch(0);

const source = z.object({
  url: text.regex(/^https?:\/\/\S+$/u),
  title: text.catch(''),
  quote: text.catch(''),
  /** Whether it speaks for the claim or against it. */
  stance: z.enum(['supports', 'refutes']).catch('supports'),
});

const finding = z.object({
  claim: text.min(1),
  verdict: z.enum(['supported', 'mixed', 'refuted']).optional().catch(undefined),
  confidence: share.optional(),
  sources: z
    .array(z.unknown())
    .catch([])
    .transform((list) => list.flatMap((entry) => source.safeParse(entry).data ?? [])),
});

const answer = z.object({
  findings: z.array(finding).min(1),
  report: text.optional(),
  confidence: share.optional(),
});

export type ResearchAnswer = z.output<typeof answer>;
export type Finding = ResearchAnswer['findings'][number];

/** Reads what a model answered, however it is wrapped; broken JSON is repaired where it is plain how. */
export function readAnswer(said: string): { readonly answer: ResearchAnswer } | { readonly problem: string } {
  for (const candidate of [...findJson(said), repaired(said)]) {
    const read = answer.safeParse(candidate);
    if (read.success) return { answer: read.data };
  }
  return { problem: 'the answer holds no JSON with "findings"' };
}
