import type { AgentStream } from '../../../agents/adapter.ts';
import type { AgentEvent } from '../../../agents/event.ts';
import { Cleaner } from '../../../agents/output/clean.ts';
import { LineBuffer } from '../../../agents/output/lines.ts';
import { activityLine } from '../../../api/activity.ts';
import type { Masker } from '../../../kernel/mask.ts';
import { choiceWords } from '../../../kernel/words.ts';

/** Turns what a process wrote into what a person reads, piece by piece. */
export interface LogView {
  push(raw: string): string;
  end(): string;
}

/** As it was printed, without what is meant for a terminal. */
export function plainView(): LogView {
  const cleaner = new Cleaner();
  return { push: (raw) => cleaner.push(raw), end: () => '' };
}

export function rawView(): LogView {
  return { push: (raw) => raw, end: () => '' };
}

/**
 * The stream of an agent as lines about what it said and did; what is none of its events stays as it is. Masked once
 * more: a secret that it said in pieces is whole only when they are joined.
 */
export function streamView(stream: AgentStream, masker: Masker): LogView {
  const lines = new LineBuffer();
  const cleaner = new Cleaner();
  const read = (line: string): string => {
    const events = stream.push(line, 'stdout');
    if (events.length === 0) return line.trimStart().startsWith('{') ? '' : `${line}\n`;
    return masker.mask(events.map(lineOf).join(''));
  };
  return {
    push: (raw) => lines.push(cleaner.push(raw)).map(read).join(''),
    end: () => [...lines.end().map(read), masker.mask(lastWords(stream))].join(''),
  };
}

/** What it had said when the log ended, of which nothing told yet that it was all. */
function lastWords(stream: AgentStream): string {
  const events = stream.end({ kind: 'stopped', durationMs: 0 });
  return events
    .filter(({ type }) => type === 'text')
    .map(lineOf)
    .join('');
}

function lineOf(event: AgentEvent): string {
  if (event.type === 'usage') {
    const { input, output } = event.tokens;
    const usd =
      event.usd === undefined ? '' : `, $${event.usd.toFixed(4)}${event.estimated ? ' (estimated)' : ''}`;
    return `[${input} tokens in, ${output} out${usd}]\n`;
  }
  if (event.type === 'text') return `${event.text}\n`;
  if (event.type === 'asked') return `? ${event.question}${choiceWords(event.choices)}\n`;
  const line = activityLine({ ...event });
  return line === undefined ? '' : `· ${line}\n`;
}
