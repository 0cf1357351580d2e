import { AdapterRegistry } from '../agents/registry/registry.ts';

let builtIn: AdapterRegistry | undefined;

/** The caller's agents, or those that come with the program. */
export function adaptersOf(services: { readonly adapters?: AdapterRegistry }): AdapterRegistry {
  if (services.adapters) return services.adapters;
  builtIn ??= new AdapterRegistry();
  return builtIn;
}
