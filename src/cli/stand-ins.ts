import type { Command } from 'commander';
import type { Need } from '../kernel/action.ts';
import { UsageError } from '../kernel/errors.ts';

/** What stands in a printed command for what only the person can say. */
export const STAND_INS: { readonly [need in Need]: string } = {
  guidance: '<hint>',
  answer: '<answer>',
  budget: '<budget>',
  name: '<name>',
  notes: '<notes>',
  reason: '<reason>',
  allow: '<path>',
};

/** A word in pointed brackets, alone or as the value of a key. */
const STAND_IN = /^(?:[\w.-]+=)?<[a-z]+>$/;

/** A printed command that was pasted unchanged would hand its stand-ins on as if somebody had said them. */
export function refuseStandIns(command: Command): void {
  for (const word of command.args) if (STAND_IN.test(word)) throw standsFor(word, word);
  for (const [name, value] of Object.entries(command.opts<{ [name: string]: unknown }>())) {
    const words = Array.isArray(value) ? value : [value];
    const found = words.find((word) => typeof word === 'string' && STAND_IN.test(word)) as string | undefined;
    if (found !== undefined) throw standsFor(found, `--${dashed(name)} "${found}"`);
  }
}

function standsFor(word: string, place: string): UsageError {
  return new UsageError(`"${word}" stands for something that only you can say; nothing was done.`, {
    next: `Write your own words in the place of ${place}.`,
  });
}

function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
