import { UsageError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';

/** What is wrong with a value: where in the argument, in words, and the names that would have been right there. */
export interface Wrong {
  readonly at: readonly string[];
  readonly what: string;
  readonly known?: readonly string[];
}

/** Looks at a value that a caller without a compiler may have passed; nothing is wrong: undefined. */
export type Shape = (value: unknown) => Wrong | undefined;

/** One argument of a function. Only its shape is looked at; whether it makes sense is for the use case to say. */
export interface Argument {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
}

const must = (what: string, fits: (value: unknown) => boolean): Shape => {
  return (value) => (fits(value) ? undefined : { at: [], what: `must be ${what}` });
};

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = must('a text', (value) => typeof value === 'string');
export const flag = must('true or false', (value) => typeof value === 'boolean');
export const number = must('a number', (value) => typeof value === 'number' && !Number.isNaN(value));
export const amount = must(
  'a number that is not negative',
  (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
);
export const count = must(
  'a whole number that is not negative',
  (value) => Number.isInteger(value) && Number(value) >= 0,
);
export const texts = must(
  'a list of texts',
  (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
);
export const callback = must('a function', (value) => typeof value === 'function');
export const oneOf = (...words: readonly string[]): Shape =>
  must(words.map((word) => `"${word}"`).join(' or '), (value) => words.includes(String(value)));
export const object = must('an object', isObject);
export const signal = must('an AbortSignal', (value) => value instanceof AbortSignal);
export const anything: Shape = () => undefined;

export const either = (what: string, ...shapes: readonly Shape[]): Shape =>
  must(what, (value) => shapes.some((shape) => shape(value) === undefined));

/** An object with these fields and no others: a field that is spelled wrongly must not be taken for one left out. */
export function fields<Options extends object>(
  known: {
    readonly [Name in keyof Required<Options>]: Shape;
  },
): Shape {
  const shapes = new Map<string, Shape>(Object.entries<Shape>(known));
  const names = [...shapes.keys()];
  return (value) => {
    if (!isObject(value)) return { at: [], what: 'must be an object' };
    for (const [name, held] of Object.entries(value)) {
      const shape = shapes.get(name);
      if (!shape) return { at: [name], what: 'is not known', known: names };
      const wrong = held === undefined ? undefined : shape(held);
      if (wrong) return { ...wrong, at: [name, ...wrong.at] };
    }
    return undefined;
  };
}

export const given = (name: string, shape: Shape): Argument => ({ name, shape, required: true });
export const maybe = (name: string, shape: Shape): Argument => ({ name, shape, required: false });

/** Refuses a call whose arguments no compiler has seen, before anything is started. */
export function checkArguments(call: string, known: readonly Argument[], passed: readonly unknown[]): void {
  for (const [index, { name, shape, required }] of known.entries()) {
    const value = passed[index];
    if (value === undefined && !required) continue;
    const wrong = value === undefined ? { at: [], what: 'is missing' } : shape(value);
    if (wrong) throw refusal(call, name, wrong);
  }
}

function refusal(call: string, name: string, { at, what, known }: Wrong): UsageError {
  // Options are passed as one object, so their own name says more than that of the argument.
  const path = at.length === 0 ? name : at.join('.');
  const hint = known === undefined ? '' : didYouMean(at.at(-1) ?? '', known);
  return new UsageError(`${call} cannot be called like this: "${path}" ${what}.${hint}`, {
    next: `${known === undefined ? 'Correct it.' : `Known are ${known.join(', ')}.`} Nothing was started.`,
  });
}
