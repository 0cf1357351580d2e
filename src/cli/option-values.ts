import { Option } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import { didYouMean } from '../kernel/suggest.ts';
import type { Budget } from '../manifest/definition.ts';

const BUDGET_PARTS = ['steps', 'tokens', 'usd', 'minutes'] as const;
const WHOLE = new Set<string>(['steps', 'tokens']);

/** `steps=50,usd=2.5` */
export function parseBudget(text: string): Budget {
  const budget: { -readonly [Part in keyof Budget]: Budget[Part] } = {};
  for (const entry of text.split(',')) {
    const [name = '', value = '', ...more] = entry.split('=').map((part) => part.trim());
    const part = BUDGET_PARTS.find((known) => known === name);
    if (!part) {
      throw new UsageError(`"${name}" is not a part of a budget.${didYouMean(name, BUDGET_PARTS)}`, {
        next: `Write --budget ${BUDGET_PARTS.map((known) => `${known}=<n>`).join(',')}, or some of them.`,
      });
    }
    const amount = Number(value);
    const fits = Number.isFinite(amount) && amount >= 0 && (!WHOLE.has(part) || Number.isInteger(amount));
    if (value === '' || more.length > 0 || !fits) {
      throw new UsageError(`"${entry.trim()}" gives no usable amount of ${part}.`, {
        next: `Write ${part}=<n> with a ${WHOLE.has(part) ? 'whole ' : ''}number that is not negative.`,
      });
    }
    budget[part] = amount;
  }
  return budget;
}

/** `key=value`, repeated. */
export function parseInputs(entries: readonly string[]): { [name: string]: string } {
  const inputs: { [name: string]: string } = {};
  for (const entry of entries) {
    const cut = entry.indexOf('=');
    if (cut < 1) {
      throw new UsageError(`"${entry}" is not an input.`, { next: 'Write --input name=value.' });
    }
    const name = entry.slice(0, cut);
    if (Object.hasOwn(inputs, name)) {
      throw new UsageError(`The input "${name}" is given twice.`, { next: 'Keep one of them.' });
    }
    inputs[name] = entry.slice(cut + 1);
  }
  return inputs;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30m`, `12h`, `7d`, `2w` in milliseconds. */
export function parseAge(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text.trim()) ?? [];
  const size = UNITS[unit];
  if (amount === undefined || size === undefined) {
    throw new UsageError(`"${text}" is not an age.`, { next: 'Write 30m, 12h, 7d or 2w.' });
  }
  return Number(amount) * size;
}

export function parseStepNumber(text: string): number {
  const step = Number(text);
  if (Number.isInteger(step) && step > 0) return step;
  throw new UsageError(`"${text}" is not the number of a step.`, { next: 'Steps count from 1.' });
}

/** A step to go back to or to compare with; 0 is the beginning. */
export function parsePosition(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is not the number of a step.`, {
    next: 'Steps count from 1; 0 is the beginning.',
  });
}

/** Lower goes first; 100 is the usual one. */
export function parsePriority(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value)) return value;
  throw new UsageError(`"${text}" is not a priority.`, {
    next: 'Give a whole number; lower goes first, 100 is the default.',
  });
}

export function parsePort(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value < 65_536) return value;
  throw new UsageError(`"${text}" is not a port.`, { next: 'Give a number below 65536; 0 has one chosen.' });
}

export function budgetOption(): Option {
  return new Option('--budget <list>', 'what may be spent, such as steps=50,usd=2,tokens=200000,minutes=30');
}

const CAP_UNITS = ['usd', 'tokens', 'runs'] as const;

/** `usd=5`, `tokens=1000,runs=2`, or `+5` for US dollars. */
export function parseRaise(text: string): { usd?: number; tokens?: number; runs?: number } {
  const more: { usd?: number; tokens?: number; runs?: number } = {};
  for (const entry of text.split(',')) {
    const [name = '', value = ''] = entry.includes('=') ? entry.split('=') : ['usd', entry];
    const unit = CAP_UNITS.find((known) => known === name.trim());
    const amount = Number(value.trim().replace(/^\+/, ''));
    if (unit === undefined || value.trim() === '' || !Number.isFinite(amount) || amount <= 0) {
      throw new UsageError(`"${entry.trim()}" does not say what today may use more.`, {
        next: 'Write usd=5 (or +5), tokens=100000 or runs=3, or several with commas.',
      });
    }
    more[unit] = amount;
  }
  return more;
}
