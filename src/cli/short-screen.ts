import { shortenIds } from '../kernel/short-ids.ts';
import type { Screen } from './output.ts';

/** The same screen, on which a person reads short ids. What others wrote (`text`) and JSON keep every character. */
export function withShortIds(screen: Screen): Screen {
  return Object.assign(Object.create(screen) as Screen, {
    line: (text = '') => screen.line(shortenIds(text)),
    error: (text: string) => screen.error(shortenIds(text)),
    verbatim: (text: string) => screen.verbatim(text),
    json: (value: unknown) => screen.json(value),
    text: (...args: Parameters<Screen['text']>) => screen.text(...args),
  });
}
