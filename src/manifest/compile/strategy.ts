import { didYouMean } from '../../kernel/suggest.ts';
import { inside, type Place, type ProblemReport, quote } from '../problem.ts';
import type { MergeInstruction } from '../resolved.ts';
import type { DraftBlock } from './draft.ts';
import type { Names } from './names.ts';

const STATIC_MEMORY = 'MERGE:STATIC_MEMORY:';
const FORMS = [
  'ALL',
  'TYPE:<type>',
  'LATEST:<type>',
  'EXCLUDE:<type>',
  'FROM:<Block>',
  `${STATIC_MEMORY}<key>`,
];
const WORDS = ['ALL', 'TYPE', 'LATEST', 'EXCLUDE', 'FROM', 'MERGE'];

/** Parses a block's merge instructions; an unknown one is left out, with a warning or, if strict, an error. */
export function resolveStrategy(
  block: DraftBlock,
  names: Names,
  report: ProblemReport,
  strict: boolean,
): MergeInstruction[] {
  const instructions: MergeInstruction[] = [];
  for (const [index, written] of block.strategy.entries()) {
    if (written === undefined) continue;
    const place = inside(block.place, 'payload_merge_strategy', index);
    const parsed = parse(written.trim());
    if (!parsed) {
      const word = written.trim().split(':', 1)[0] ?? '';
      const hint = WORDS.includes(word) ? '' : didYouMean(word, WORDS);
      const message = `${quote(written)} is not a merge instruction; write one of ${FORMS.join(', ')}.${hint}`;
      if (strict) report.error(place, message);
      else report.warning(place, `${message} It is left out.`);
      continue;
    }
    const resolved = resolve(parsed, block, names, place, report);
    if (resolved) instructions.push(resolved);
  }
  return instructions;
}

function parse(text: string): MergeInstruction | undefined {
  if (text === 'ALL') return { take: 'ALL' };
  if (text.startsWith(STATIC_MEMORY)) {
    const key = text.slice(STATIC_MEMORY.length);
    return key === '' ? undefined : { take: 'STATIC_MEMORY', key };
  }
  const colon = text.indexOf(':');
  const word = text.slice(0, Math.max(colon, 0));
  const rest = text.slice(colon + 1).trim();
  if (rest === '') return undefined;
  if (word === 'TYPE' || word === 'LATEST' || word === 'EXCLUDE') return { take: word, type: rest };
  return word === 'FROM' ? { take: 'FROM', block: rest } : undefined;
}

function resolve(
  instruction: MergeInstruction,
  block: DraftBlock,
  names: Names,
  place: Place,
  report: ProblemReport,
): MergeInstruction | undefined {
  if (instruction.take === 'FROM') {
    const found = names.block(instruction.block, block.node);
    if (found) return { take: 'FROM', block: found.id };
    const hint = didYouMean(instruction.block, names.near(block.node));
    report.error(place, `FROM names ${quote(instruction.block)}, which is not a block.${hint}`);
    return undefined;
  }
  if (instruction.take === 'STATIC_MEMORY') {
    const keys = [...names.nodes.values()].flatMap((node) => Object.keys(node.fields.static_memory ?? {}));
    if (!keys.includes(instruction.key)) {
      const hint = didYouMean(instruction.key, keys);
      report.warning(
        place,
        `No node has the static_memory key ${quote(instruction.key)}, so nothing is merged.${hint}`,
      );
    }
  }
  return instruction;
}
