import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AgentStream } from '../../adapter.ts';
import type { AgentEvent, TokenCount } from '../../event.ts';
import type { RunnerEnd } from '../../runner/runner.ts';
import { NO_TOKENS, plus } from './usage.ts';

/** What a CLI really printed in one run. */
export interface Transcript {
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly end: RunnerEnd;
}

export function transcriptPath(cli: string, name: string): string {
  return fileURLToPath(new URL(`../${cli}/transcripts/${name}`, import.meta.url));
}

export function readTranscript(cli: string, name: string): Transcript {
  const text = readFileSync(transcriptPath(cli, name), 'utf8');
  const [head = '', body] = text.split('# ---- stdout\n');
  if (body === undefined) return { stdout: linesOf(text), stderr: [], end: exited(0) };
  const [stdout = '', stderr = ''] = body.split('# ---- stderr');
  const code = Number(/# exit code: (\d+)/.exec(head)?.[1]);
  return { stdout: linesOf(stdout), stderr: linesOf(stderr), end: exited(code) };
}

/** A recording of both directions marks which line is whose. */
export function both({ stdout }: Pick<Transcript, 'stdout'>): {
  readonly theirs: readonly string[];
  readonly ours: readonly string[];
} {
  const marked = (mark: string) =>
    stdout.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  const ours = marked('>> ');
  return { theirs: ours.length === 0 ? stdout : marked('<< '), ours };
}

/** The lines that a stream wants to be written. */
export function outgoingOf(stream: AgentStream): readonly string[] {
  return linesOf(stream.outgoing?.() ?? '');
}

/** All events of a run; what stood on standard error comes before the last line of standard output. */
export function replay(stream: AgentStream, transcript: Transcript): readonly AgentEvent[] {
  const { stderr, end } = transcript;
  const stdout = both(transcript).theirs;
  return [
    ...stdout.slice(0, -1).flatMap((line) => stream.push(line, 'stdout')),
    ...stderr.flatMap((line) => stream.push(line, 'stderr')),
    ...stdout.slice(-1).flatMap((line) => stream.push(line, 'stdout')),
    ...stream.end(end),
  ];
}

export function eventsOf<T extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: T,
): readonly Extract<AgentEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

export function usedTokens(events: readonly AgentEvent[]): TokenCount {
  return eventsOf(events, 'usage').reduce((sum, { tokens }) => plus(sum, tokens), NO_TOKENS);
}

export function usedUsd(events: readonly AgentEvent[]): number {
  return eventsOf(events, 'usage').reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}

/** The recordings were cut off by `timeout`, which leaves 124. */
function exited(code: number): RunnerEnd {
  if (code === 124) return { kind: 'timed-out', limit: 'total', afterMs: 60_000, durationMs: 60_000 };
  return { kind: 'exited', code, durationMs: 1000 };
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
