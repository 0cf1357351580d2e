import { durationMs } from '../reset/duration.ts';

/** What codex logs however well it goes; its warnings are asked for to learn how long it sleeps. */
export const CODEX_NOISE =
  /^WARNING: proceeding, even though|could not find bubblewrap on PATH|^\d{4}-\d\d-\d\dT\S+\s+(?:WARN|INFO|ERROR)\s+codex_(?:core|models|app)/;

const RETRYING = /retrying sampling request \(\d+\/\d+ in ([\d.]+(?:ms|s|m|h)(?:[\d.]+(?:ms|s|m))*)\)/;
const REJECTED = /tools::router: error=(?<tool>\w+) failed:.*Rejected\(\\?"(?<why>.*?)\\?"\)/;
const OURS = 'rejected by user';

/** How long codex waits by itself before it asks its provider again. */
export function ownWaitMs(line: string): number | undefined {
  return durationMs(RETRYING.exec(line)?.[1] ?? '');
}

/** A command that codex's own rules kept from running: it stands nowhere but in its log. What we declined is told. */
export function rejectedByPolicy(line: string): { readonly tool: string; readonly why: string } | undefined {
  const { tool, why } = REJECTED.exec(line)?.groups ?? {};
  if (tool === undefined || why === undefined || why.includes(OURS)) return undefined;
  return { tool: tool === 'exec_command' ? 'shell' : tool, why: why.replaceAll('\\"', '"') };
}

/**
 * Its output does not wait for whoever reads it: on a busy machine a long line, such as its echo of a long prompt, can
 * be lost, and everything behind it. It says so in its log and goes on as if it had been heard.
 */
export function saysUnheard(line: string): boolean {
  return /Failed to write to stdout/.test(line);
}
