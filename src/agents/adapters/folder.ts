import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where the files of a built-in adapter lie that are programs or data of their own. This module is either in its
 * place, in `src` or `dist`, or a part of the bundled command below `dist/bin`.
 */
export function adapterFolder(type: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = [here, join(here, '../agents/adapters'), join(here, '../../agents/adapters')];
  return join(places.find((place) => existsSync(join(place, 'scripted', 'player.mjs'))) ?? here, type);
}
