import type * as z from 'zod';
import type { JsonObject } from '../../kernel/json.ts';
import type { ConfigNumber, Limits, RosterDefinition, RosterEntry } from '../definition.ts';
import { findPlaceholders, valueIn } from '../placeholders.ts';
import { inside, type Place, type ProblemReport, quote } from '../problem.ts';
import { limitNumbers } from '../shape/block.ts';
import { describeValue, wantedBy } from '../shape/issues.ts';
import { rosterNumbers } from '../shape/manifest.ts';
import { wrongPlaceholder } from './check-placeholders.ts';
import type { Draft, DraftBlock } from './draft.ts';

/** Where numbers come from that a manifest leaves to the configuration. */
export interface NumberSource {
  readonly config: JsonObject | undefined;
  readonly report: ProblemReport;
}

/** Limits are filled in at load, and so frozen with the session: a later change of the settings does not move them. */
export function resolveLimits(block: DraftBlock, source: NumberSource): Limits | undefined {
  const { limits } = block.fields;
  if (!limits) return undefined;
  const { visits, minutes, sameFailure, sameTool } = limits;
  const number = (name: keyof Limits, written: ConfigNumber | undefined) =>
    numberOf(written, limitNumbers[name], inside(block.place, 'limits', name), source);
  return {
    ...named('visits', number('visits', visits)),
    ...named('minutes', number('minutes', minutes)),
    ...named('sameFailure', number('sameFailure', sameFailure)),
    ...named('sameTool', number('sameTool', sameTool)),
  };
}

export function resolveRoster(
  workers: Draft['workers'],
  source: NumberSource,
): { readonly [name: string]: RosterEntry } {
  const entry = (name: string, { minutes, ...rest }: RosterDefinition): RosterEntry => {
    const place = { path: ['workers', name, 'minutes'] };
    return { ...rest, ...named('minutes', numberOf(minutes, rosterNumbers.minutes, place, source)) };
  };
  return Object.fromEntries(Object.entries(workers).map(([name, written]) => [name, entry(name, written)]));
}

function numberOf(
  written: ConfigNumber | undefined,
  shape: z.ZodNumber,
  place: Place,
  { config, report }: NumberSource,
): number | undefined {
  if (written === undefined || typeof written === 'number') return written;
  const [found] = findPlaceholders(written);
  if (!found) return undefined;
  if (!config) {
    report.error(place, `${found.text} needs a configuration, and none was given.`);
    return undefined;
  }
  const wrong = wrongPlaceholder(found, config);
  if (wrong) {
    report.error(place, wrong);
    return undefined;
  }
  const value = valueIn(config, found.keys) ?? null;
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const wanted = (issue && wantedBy(issue)) ?? 'a number';
  const field = quote(String(place.path.at(-1)));
  report.error(place, `${field} must be ${wanted}, but ${found.text} is ${describeValue(value)}.`);
  return undefined;
}

function named<K extends string>(name: K, value: number | undefined): { readonly [_ in K]?: number } {
  return value === undefined ? {} : ({ [name]: value } as { [_ in K]: number });
}
