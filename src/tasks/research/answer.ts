import * as z from 'zod';
import { bare, wholeJson } from '../../manifest/output/whole-json.ts';

const trimmed = z.string().trim();
const share = z.number().min(0).max(100).catch(0);

const source = z.object({
  url: trimmed.regex(/^https?:\/\/\S+$/u),
  title: trimmed.catch(''),
  quote: trimmed.catch(''),
  /** Whether it speaks for the claim or against it. */
  stance: z.enum(['supports', 'refutes']).catch('supports'),
});

const finding = z.object({
  claim: trimmed.min(1),
  verdict: z.enum(['supported', 'mixed', 'refuted']).optional().catch(undefined),
  confidence: share.optional(),
  sources: z.array(z.unknown()).catch([]),
});

const answer = z.object({
  findings: z.array(z.unknown()),
  /** Why there is no finding, of who looked and found nothing. */
  nothing: trimmed.optional().catch(undefined),
  report: trimmed.optional(),
  confidence: share.optional(),
});

export interface Finding extends Omit<z.output<typeof finding>, 'sources'> {
  readonly sources: readonly z.output<typeof source>[];
}

export interface ResearchAnswer extends Omit<z.output<typeof answer>, 'findings'> {
  readonly findings: readonly Finding[];
  /** What of it could not be used, each with its reason. */
  readonly dropped: readonly string[];
}

/**
 * Reads what a model answered. The whole answer must be the JSON: what it quotes from a page is not its finding.
 * Broken JSON is repaired where it is plain how.
 */
export function readAnswer(said: string): { readonly answer: ResearchAnswer } | { readonly problem: string } {
  const read = answer.safeParse(wholeJson(said) ?? repaired(bare(said)));
  return read.success ? usable(read.data) : { problem: 'the answer is not JSON with "findings"' };
}

/** One bad entry costs that entry only; when all of them are bad the answer is. */
function usable(read: z.output<typeof answer>): ReturnType<typeof readAnswer> {
  const dropped: string[] = [];
  const findings = read.findings.flatMap((entry, index): Finding[] => {
    const good = finding.safeParse(entry);
    if (!good.success) {
      dropped.push(`finding ${index + 1}: ${problemOf(good.error)}`);
      return [];
    }
    return [{ ...good.data, sources: sourcesOf(good.data, index, dropped) }];
  });
  if (findings.length === 0 && dropped.length > 0)
    return { problem: `none of its findings can be used (${dropped.join('; ')})` };
  return { answer: { ...read, findings, dropped } };
}

function sourcesOf(
  { sources }: { readonly sources: readonly unknown[] },
  index: number,
  dropped: string[],
): Finding['sources'] {
  return sources.flatMap((entry, place) => {
    const good = source.safeParse(entry);
    if (good.success) return [good.data];
    dropped.push(`finding ${index + 1}, source ${place + 1}: ${problemOf(good.error)}`);
    return [];
  });
}

function problemOf({ issues }: z.ZodError): string {
  const [first] = issues;
  const where = first?.path.map(String).join('.') ?? '';
  if (where === 'url') return 'its "url" is no web address';
  return where === 'claim' ? 'it has no "claim"' : 'it is not an object as asked for';
}

/**
 * JSON as models break it: a comma before a closing bracket, and an end that is missing. Anything else stays
 * broken, because guessing would make up findings.
 */
function repaired(text: string): unknown {
  // An answer that breaks off may have left its fence open.
  const json = text.trim().replace(/^```\w*\s*\n/, '');
  if (!/^[[{]/.test(json)) return undefined;
  try {
    return JSON.parse(closed(json));
  } catch {
    // Then it is not JSON with a small mistake; the caller asks again.
    return undefined;
  }
}

/** The text up to its last value, without commas before closers, and with the closers that are missing. */
function closed(text: string): string {
  const open: string[] = [];
  let out = '';
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString) {
      out += char;
      if (char === '\\') out += text.charAt(++at);
      else if (char === '"') inString = false;
      continue;
    }
    if (char === '"') inString = true;
    if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    if (char === '}' || char === ']') {
      if (open.pop() !== char) return text;
      out = `${out.replace(/,\s*$/, '')}${char}`;
      if (open.length === 0) return out;
    } else out += char;
  }
  const ended = inString ? `${out}"` : out.replace(/,\s*$/, '');
  return ended + open.reverse().join('');
}
