import { duration, indent, oneLine, plain } from '../../kernel/words.ts';
import type { StepView } from '../../project/sessions/step-view.ts';
import { segmentLines } from './segments.ts';
import { leadsTo, markOf, shortSignal } from './steps.ts';
import { structuredLines } from './structured.ts';
import type { Style } from './style.ts';

export function stepLines({ record, worker, shown, added, context }: StepView, style: Style): string[] {
  const { bold, dim } = style;
  const dropped = record.dropped ?? [];
  return [
    `${markOf(record.signal, style)} ${bold(`step ${record.step}`)}  ${oneLine(record.block)} ${dim(`(${oneLine(worker)})`)}`,
    `  ${shortSignal(record.signal)} after ${duration(record.ms)} ${dim('→')} ${leadsTo(record)}`,
    '',
    bold('in'),
    ...segmentLines(shown, style),
    '',
    ...contextLines(context, style),
    bold('out'),
    ...segmentLines(added, style),
    ...(dropped.length === 0 ? [] : [dim(`  dropped: ${dropped.map(oneLine).join(', ')}`)]),
    '',
  ];
}

/** The layers beside the history, and what agents were sent; an empty layer says nothing. */
function contextLines({ layers, prompts }: StepView['context'], { bold, dim }: Style): string[] {
  const { contract, inherited_context: inherited, primary_artifact: files } = layers;
  const { instructions, persona, with: parameters } = contract.value;
  const given = Object.keys(parameters).length === 0 ? [] : [structuredLines(parameters).join('\n')];
  const rules = Object.entries(inherited.value).map(([key, value]) =>
    structuredLines({ [key]: value }).join('\n'),
  );
  const shown = files.value.map(({ path, exists }) => (exists ? path : `${path} (not there)`));
  const section = (title: string, layer: { certainty: string; why?: string }, texts: readonly string[]) =>
    texts.length === 0
      ? []
      : [
          `${bold(title)} ${dim(layer.why === undefined ? layer.certainty : `${layer.certainty}: ${layer.why}`)}`,
          ...texts.flatMap(bodyLines),
          '',
        ];
  return [
    ...section(
      'contract',
      contract,
      [persona, instructions, ...given].filter((text) => text !== undefined),
    ),
    ...section('inherited', inherited, rules),
    ...section('files', files, shown),
    ...prompts.flatMap(({ task, text }) => [
      `${bold(`sent to ${oneLine(task)}`)} ${dim('exact')}`,
      // What an agent was told is read as it was sent, to the last line.
      ...plain(text)
        .trimEnd()
        .split('\n')
        .map((line) => indent(line)),
      '',
    ]),
  ];
}

/** Beyond this a terminal is no help; `--json` gives everything. */
const SHOWN_LINES = 20;

function bodyLines(text: string): string[] {
  const lines = plain(text).trimEnd().split('\n');
  const more = lines.length - SHOWN_LINES;
  const body = lines.slice(0, SHOWN_LINES).map((line) => indent(line));
  return more > 0 ? [...body, `  and ${more} more lines: --json shows them`] : body;
}
