import { join } from 'node:path';
import * as z from 'zod';
import { deepFreeze } from '../../kernel/json.ts';
import { SANDBOX_LEVELS, type SandboxLevel } from '../../process/sandbox/enclosure.ts';
import { providerShape } from '../providers.ts';
import { parseSettings } from '../settings-file.ts';
import { strictObject } from '../strict-object.ts';
import type { Environment } from '../terminal.ts';
import { userFolder } from './folder.ts';
import { readOwnFile } from './own-file.ts';
import { tokenHost } from './token-hosts.ts';

const name = z.string().min(1);

/** What a person decides for all projects, and no project for itself. */
export const userFile = strictObject({
  $schema: z.string().exactOptional(),
  secrets: z.array(name).exactOptional(),
  tokenHosts: z.array(tokenHost).exactOptional(),
  sandboxFloor: z.enum(SANDBOX_LEVELS).exactOptional(),
  repositoryPrograms: z.array(name).exactOptional(),
  providers: z.record(name, providerShape).exactOptional(),
});

export interface UserSettings {
  readonly file: string;
  /** Variables to mask besides those that sound like secrets; `!NAME` takes one out. */
  readonly secrets: readonly string[];
  /** The hosts that a forge token may be sent to. */
  readonly tokenHosts: readonly string[];
  /** The least that a project may ask for. */
  readonly sandboxFloor: SandboxLevel;
  /** Agents whose program may be one of the repository's own. */
  readonly repositoryPrograms: readonly string[];
  /** Who serves models, where, and which variables hold the keys. */
  readonly providers: { readonly [name: string]: z.infer<typeof providerShape> };
}

type Key = Exclude<keyof UserSettings, 'file'>;

/** Each setting with its meaning and what holds where nothing is said. */
export const USER_SETTINGS: {
  readonly [K in Key]: { readonly fallback: UserSettings[K]; readonly meaning: string };
} = {
  secrets: {
    fallback: [],
    meaning: 'variables to mask besides those that sound like secrets; !NAME takes one out',
  },
  tokenHosts: {
    fallback: ['github.com'],
    meaning: 'the hosts that a forge token may be sent to, over https',
  },
  sandboxFloor: { fallback: 'standard', meaning: 'the least sandbox that a project may ask for' },
  repositoryPrograms: { fallback: [], meaning: "agents whose program may be a repository's own" },
  providers: { fallback: {}, meaning: 'who serves models, where, and which variables hold the keys' },
};

function userSettingsFile(env: Environment): string {
  return join(userFolder(env), 'config.json');
}

/** What the person who runs us decided for all projects. */
export function loadUserSettings(env: Environment): UserSettings {
  const file = userSettingsFile(env);
  const text = readOwnFile(file);
  const said =
    text === undefined
      ? {}
      : parseSettings(file, text, { shape: userFile, next: 'Correct it, or remove it.' });
  const { $schema: _editor, ...settings } = said;
  const { secrets, tokenHosts, sandboxFloor, repositoryPrograms, providers } = USER_SETTINGS;
  return deepFreeze({
    file,
    secrets: secrets.fallback,
    tokenHosts: tokenHosts.fallback,
    sandboxFloor: sandboxFloor.fallback,
    repositoryPrograms: repositoryPrograms.fallback,
    providers: providers.fallback,
    ...settings,
  });
}
