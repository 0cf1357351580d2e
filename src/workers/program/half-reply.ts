import { findJsonMistake } from '../../kernel/json-mistake.ts';

const KEY = /[{,]\s*"(?:signal|segments)"\s*:/;
/** Where a reply begins: with the first object of the text, or with one of its keys behind some chatter. */
const BEGINNING = /^\s*(?:```\w*\s*)?\{\s*"|\{\s*"(?:signal|segments|usage)"\s*:/;

/**
 * A reply that was begun and is not whole, as a problem. `cut`: it does not even close, so what can be read inside
 * of it is a part of the reply and not the reply.
 */
export function findHalfReply(text: string): { readonly cut: boolean; readonly problem: string } | undefined {
  const beginning = BEGINNING.exec(text);
  if (!beginning || !KEY.test(text.slice(beginning.index))) return undefined;
  const open = text.indexOf('{', beginning.index);
  const end = closingBracket(text, open);
  if (end < 0)
    return { cut: true, problem: 'it begins like a JSON reply and breaks off in the middle of it' };
  const mistake = findJsonMistake(text.slice(open, end + 1));
  if (!mistake) return undefined;
  return {
    cut: false,
    problem: `it looks like a JSON reply and is none: ${mistake.reason.replace(/\.$/, '')}`,
  };
}

/** The bracket that closes the one at `open`, or -1. Strings may run over lines here: models write them so. */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  let inString = false;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    if (inString && char === '\\') at++;
    else if (char === '"') inString = !inString;
    else if (inString) continue;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at;
  }
  return -1;
}
