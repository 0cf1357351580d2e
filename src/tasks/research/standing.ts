import type { Known, KnownClaim } from '../../backlog/findings.ts';
import type { FindingStatus } from '../../backlog/words.ts';
import { clip, count, oneLine } from '../../kernel/words.ts';
import { ENOUGH, type ResearchProfile, type ResearchStage } from './input.ts';
import { domainOf, pageOf } from './page.ts';

/** How a claim stands: what the agents say of it, and what its profile still misses before that counts. */
export interface Standing {
  readonly claim: string;
  readonly status: FindingStatus;
  /** Empty when the profile's minimum is met by this claim's own sources. */
  readonly missing: readonly string[];
}

/**
 * Every claim by itself: no source of another one counts for it, and none that nobody fetched. A collection is
 * held to sources only; who has challenged the claim as well is held to the rest.
 */
export function standings(
  known: Known,
  profile: ResearchProfile,
  stage: ResearchStage = 'write',
): Standing[] {
  return known.claims.map((claim) => ({
    claim: claim.text,
    status: claim.status,
    missing: [
      ...missingSources(known, claim, profile),
      ...(stage === 'collect' ? [] : missingProof(known, claim, profile)),
    ],
  }));
}

function missingSources({ evidence }: Known, { text }: KnownClaim, profile: ResearchProfile): string[] {
  const need = ENOUGH[profile];
  const own = evidence.filter(({ claim }) => claim === text);
  const fetched = own.filter((source) => source.fetched).map(({ url }) => url);
  const pages = new Set(fetched.map(pageOf)).size;
  const domains = new Set(fetched.map(domainOf)).size;
  const unread = own.length - fetched.length;
  const words = unread === 0 ? '' : ` (${unread} not fetched)`;
  return [
    ...(pages >= need.sources ? [] : [`${pages} of ${count(need.sources, 'source')}${words}`]),
    ...(domains >= need.domains ? [] : [`${domains} of ${count(need.domains, 'domain')}`]),
  ];
}

function missingProof(
  { evidence, searches }: Known,
  { text, status }: KnownClaim,
  profile: ResearchProfile,
): string[] {
  const fetched = evidence.filter((source) => source.claim === text && source.fetched);
  const speaks = (stance: string) => fetched.some((source) => source.stance === stance);
  const looked = searches.filter(({ claim }) => claim === text).length;
  const need = ENOUGH[profile].searches;
  return [
    ...(status === 'open' ? ['no verdict'] : []),
    ...(status === 'confirmed' && !speaks('supports') ? ['no fetched source that supports it'] : []),
    ...(status === 'refuted' && !speaks('refutes') ? ['no fetched source that refutes it'] : []),
    // What speaks against it was found, so somebody has looked.
    ...(looked >= need || speaks('refutes') ? [] : [`${looked} of ${need} searches for the opposite`]),
  ];
}

const MOST_NAMED = 3;
const LONGEST_CLAIM = 80;

/** How many of them hold, and what the others miss. */
export function standingWords(all: readonly Standing[]): string {
  const open = all.filter(({ missing }) => missing.length > 0);
  const named = open
    .slice(0, MOST_NAMED)
    .map(({ claim, missing }) => `"${clip(oneLine(claim), LONGEST_CLAIM)}" has ${missing.join(', ')}`);
  const more = open.length > MOST_NAMED ? [`${open.length - MOST_NAMED} more are short of proof`] : [];
  const sum = `${all.length - open.length} of ${count(all.length, 'claim')} with enough sources of their own`;
  return [sum, ...named, ...more].join('; ');
}
