import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Lab } from '../lab.ts';
import type { Profile } from './profile.ts';

/** Allowed everything, its shell still writes nothing beside its tree; what it writes inside of it stays. */
export async function isKeptIn({ onlyWords }: Profile, lab: Lab): Promise<void> {
  const settings = { permissions: 'all' } as const;
  const inside = await lab.run('FILE=inside.txt [shell] CONTENT=word write it', { settings });
  expect(inside.file('inside.txt')).toBe('word\n');
  const beside = join(dirname(inside.home.work), 'beside.txt');
  const outside = await lab.run(`FILE=${beside} [shell] CONTENT=word write it`, {
    settings,
    home: inside.home,
  });
  expect(outside.calls.filter(({ tool }) => tool !== undefined)).toHaveLength(1);
  expect(outside.of('tool')).toHaveLength(onlyWords ? 0 : 1);
  expect(existsSync(beside)).toBe(false);
}
