import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReplyOf, RouteName } from '../../../src/api/routes/routes.ts';
import { type CallInput, call } from './call.ts';

type Asked<Name extends RouteName> = Pick<CallInput<Name>, 'params' | 'query'>;

export function routeKey<Name extends RouteName>(name: Name, asked: Asked<Name> = {}): readonly unknown[] {
  return [name, asked.params ?? {}, asked.query ?? {}];
}

/** What a route says, kept and asked for again when something behind it changes. */
export function useRoute<Name extends RouteName>(
  name: Name,
  asked: Asked<Name> = {},
  { enabled = true }: { readonly enabled?: boolean } = {},
): UseQueryResult<ReplyOf<Name>> {
  return useQuery<ReplyOf<Name>>({
    queryKey: routeKey(name, asked),
    queryFn: () => call(name, asked),
    enabled,
    placeholderData: (before) => before,
  });
}

/** Whatever is shown of these routes is asked for again. */
export function askAgain(client: QueryClient, ...names: readonly RouteName[]): void {
  for (const name of names) void client.invalidateQueries({ queryKey: [name] });
}
