import { AdapterRegistry } from '../../agents/registry/registry.ts';
import type { Screen } from '../output.ts';

export interface AgentsOptions {
  readonly dir?: string;
  readonly json?: true;
}

export async function agents(screen: Screen, _options: AgentsOptions): Promise<number> {
  for (const type of new AdapterRegistry().types()) screen.line(type);
  return 0;
}

export async function doctor(screen: Screen, options: AgentsOptions): Promise<number> {
  return agents(screen, options);
}
