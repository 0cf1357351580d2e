import { duration, oneLine } from '../../kernel/words.ts';
import type { StepView } from '../../project/sessions/step-view.ts';
import { segmentLines } from './segments.ts';
import { leadsTo, markOf, shortSignal } from './steps.ts';
import type { Style } from './style.ts';

export function stepLines({ record, worker, shown, added }: StepView, style: Style): string[] {
  const { bold, dim } = style;
  const dropped = record.dropped ?? [];
  return [
    `${markOf(record.signal, style)} ${bold(`step ${record.step}`)}  ${oneLine(record.block)} ${dim(`(${oneLine(worker)})`)}`,
    `  ${shortSignal(record.signal)} after ${duration(record.ms)} ${dim('→')} ${leadsTo(record)}`,
    '',
    bold('in'),
    ...segmentLines(shown, style),
    '',
    bold('out'),
    ...segmentLines(added, style),
    ...(dropped.length === 0 ? [] : [dim(`  dropped: ${dropped.map(oneLine).join(', ')}`)]),
    '',
  ];
}
