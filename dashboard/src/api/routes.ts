import type { RouteName } from '../../../src/api/routes/routes.ts';

import { word } from '../text/word.ts';

/** Written in by the build, from the contract. */
// oxlint-disable-next-line no-underscore-dangle -- a name that nothing else has
declare const __ROUTES__: { readonly [Name in RouteName]: readonly [method: string, path: string] };

/** Where a route is, with its parameters filled in. */
export function addressOf(
  name: RouteName,
  params: { readonly [name: string]: unknown } = {},
  query: { readonly [name: string]: unknown } = {},
): { readonly method: string; readonly url: string } {
  const [method, pattern] = __ROUTES__[name];
  const path = pattern.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(word(params[key])));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) =>
      value === undefined || value === '' ? [] : [[key, word(value)]],
    ),
  ).toString();
  return { method, url: `/api/v1${path}${search === '' ? '' : `?${search}`}` };
}
