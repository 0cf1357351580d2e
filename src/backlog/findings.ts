import type { FindingStatus } from './words.ts';

/** What a task of a research job is about. */
export interface FindingsOf {
  readonly job: string;
  readonly stage: string;
  /** The claim that the task is about; absent: all of the job. */
  readonly claim?: string;
}

/** A research claim with its evidence, as it was answered. */
export interface Finding {
  readonly claim: string;
  readonly verdict?: 'supported' | 'mixed' | 'refuted' | undefined;
  readonly confidence?: number | undefined;
  readonly sources: readonly Source[];
}

export interface Source {
  readonly url: string;
  readonly title: string;
  readonly quote: string;
  readonly stance: 'supports' | 'refutes';
  /** The agent's own tools brought the page. Absent: nobody knows that they did. */
  readonly fetched?: boolean;
}

export interface FoundAnswer {
  readonly findings: readonly Finding[];
  readonly report?: string | undefined;
  readonly confidence?: number | undefined;
  /** What was searched for on the way to it, by the agent's own tools. */
  readonly searched?: readonly string[];
}

export interface KnownClaim {
  readonly id: number;
  readonly text: string;
  readonly status: FindingStatus;
  readonly confidence: number | null;
}

export interface KnownEvidence extends Source {
  readonly claim: string;
  readonly fetched: boolean;
}

/** A search for what speaks against a claim. */
export interface KnownSearch {
  readonly claim: string;
  readonly query: string;
}

/** What a research job has found so far. */
export interface Known {
  readonly claims: readonly KnownClaim[];
  readonly evidence: readonly KnownEvidence[];
  readonly searches: readonly KnownSearch[];
}

export interface Kept {
  readonly claims: number;
  readonly sources: number;
  /** Claims that the job does not have. */
  readonly unknown: readonly string[];
}

export interface Report {
  readonly body: string;
  readonly confidence: number | null;
}

/** What research jobs have found; a claim is known by its normalised text, a source by its address. */
export interface Findings {
  known(job: string): Promise<Known>;
  /**
   * Only planning adds claims; the other stages speak about those that are there, and the searches of a
   * challenge are kept with them. Repeating it changes nothing.
   */
  keep(about: FindingsOf, answer: FoundAnswer): Promise<Kept>;
  report(job: string): Promise<Report | undefined>;
}

export const VERDICTS = { supported: 'confirmed', mixed: 'provisional', refuted: 'refuted' } as const;

/** What two wordings of one claim have in common. */
export function normalised(claim: string): string {
  return claim
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}
