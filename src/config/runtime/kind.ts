import * as z from 'zod';
import { isRegularExpression } from '../../kernel/regular-expression.ts';

/** How the value of a setting is read. A message of a schema continues after the name of the setting. */
export interface Kind<T> {
  /** Reads what a variable or a flag says. */
  readonly text: z.ZodType<T, string>;
  /** Reads a value of the configuration file: the same, but a number is a number there. */
  readonly value: z.ZodType<T>;
  /** A wrong value ends the start instead of falling back. */
  readonly strict?: boolean;
  /** The same kind where the project defines agents of its own. */
  readonly withAgents?: (names: readonly string[]) => Kind<T>;
}

const words = z.string({ error: 'must be a text' }).trim();

/** On unless its text is `false`, in any case. */
export const onOff: Kind<boolean> = {
  text: words.transform((said) => said.toLowerCase() !== 'false'),
  value: z.boolean({ error: 'must be true or false' }),
};

/** Off unless its text is `true`; any other word than the two is a mistake. */
export const trueOrFalse: Kind<boolean> = {
  text: choice(['true', 'false']).text.transform((said) => said === 'true'),
  value: z.union([z.boolean(), z.enum(['true', 'false']).transform((said) => said === 'true')], {
    error: 'must be true or false',
  }),
};

export const text: Kind<string> = { text: words, value: words };

/** Words separated by commas. */
export const list: Kind<readonly string[]> = {
  text: words.transform((said) =>
    said
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
  value: z.array(z.string(), { error: 'must be a list of texts' }),
};

/** What a command needs: a regular expression that fits it, `=>`, and paths with spaces between them. */
export function commandRule(rule: string): { pattern: string; paths: string[] } | undefined {
  const [pattern = '', paths = '', ...more] = rule.split('=>').map((part) => part.trim());
  const isReadable = pattern !== '' && paths !== '' && more.length === 0 && isRegularExpression(pattern);
  return isReadable ? { pattern, paths: paths.split(/\s+/) } : undefined;
}

const RULE = 'must be rules such as "^zig => build.zig zig/"';

/** A list of what commands need. */
export const commandRules: Kind<readonly string[]> = {
  text: list.text.refine((said) => said.every(commandRule), { error: RULE }),
  value: list.value.refine((said) => said.every(commandRule), { error: RULE }),
};

/** A whole number; one out of bounds counts as the nearest bound. */
export function count({ least = 0, most = Number.MAX_SAFE_INTEGER } = {}): Kind<number> {
  return number(
    words
      .regex(/^[+-]?\d+/, { error: 'must be a whole number' })
      .transform((said) => Math.min(most, Math.max(least, Number.parseInt(said, 10)))),
  );
}

export const positive: Kind<number> = number(
  words
    .transform(Number)
    .pipe(z.number({ error: 'must be a positive number' }).positive({ error: 'must be a positive number' })),
);

export interface ChoiceOptions<C extends string> {
  readonly aliases?: { readonly [alias: string]: C };
  readonly strict?: boolean;
}

export function choice<const C extends string>(
  choices: readonly C[],
  { aliases = {}, strict = false }: ChoiceOptions<C> = {},
): Kind<C> {
  const read = words.transform((said, context): C => {
    const word = said.toLowerCase();
    const meant = aliases[word] ?? word;
    const found = choices.find((each) => each === said) ?? choices.find((each) => each === meant);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: `must be one of ${choices.join(', ')}` });
    return z.NEVER;
  });
  return { text: read, value: read, strict };
}

/** One of ours or of the project's own agents, whose names keep their case. */
export function agent(ours: readonly string[], aliases: { readonly [alias: string]: string }): Kind<string> {
  return {
    ...choice(ours, { aliases }),
    withAgents: (names) => choice([...ours, ...names], { aliases }),
  };
}

function number(read: z.ZodType<number, string>): Kind<number> {
  return { text: read, value: z.number({ error: 'must be a number' }).transform(String).pipe(read) };
}
