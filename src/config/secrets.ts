import type { Environment } from './terminal.ts';

/** The short ones only between underscores: PATH, AUTHOR and COMPASS hold no secret. */
const LIKELY_SECRET =
  /TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?<![^_])(?:PASS|PAT|AUTH|DSN)(?![^_])/i;

/**
 * Variables whose values must not show up anywhere: those whose name says so and those that were named.
 * `!NAME` takes one out again, for a variable that only sounds like a secret.
 */
export function secretNames(env: Environment, named: readonly string[]): string[] {
  const likely = Object.keys(env).filter((name) => LIKELY_SECRET.test(name));
  const added = named.filter((name) => !name.startsWith('!'));
  const removed = new Set(named.filter((name) => name.startsWith('!')).map((name) => name.slice(1)));
  return [...new Set([...likely, ...added])].filter((name) => !removed.has(name)).sort();
}

export function secretValues(env: Environment, names: readonly string[]): string[] {
  const values = names.flatMap((name) => env[name] ?? []);
  return [...new Set(values.filter((value) => value !== ''))];
}
