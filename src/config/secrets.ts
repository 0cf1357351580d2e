import type { Environment } from './terminal.ts';

/** The short ones only between underscores: PATH, AUTHOR and COMPASS hold no secret. */
const LIKELY_SECRET =
  /TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?<![^_])(?:PASS|PAT|AUTH|DSN)(?![^_])/i;

/** Who named which variables. */
export interface NamedSecrets {
  /** By the person, whose `!NAME` takes one out again that only sounds like a secret. */
  readonly user: readonly string[];
  /** By the project, which can only add. */
  readonly project: readonly string[];
}

/** Variables whose values must not show up anywhere: those whose name says so and those that were named. */
export function secretNames(env: Environment, { user, project }: NamedSecrets): string[] {
  const likely = Object.keys(env).filter((name) => LIKELY_SECRET.test(name));
  const named = [...user, ...project].filter((name) => !isUnmasking(name));
  const removed = new Set(user.filter(isUnmasking).map((name) => name.slice(1)));
  return [...new Set([...likely, ...named])].filter((name) => !removed.has(name)).sort();
}

export function secretValues(env: Environment, names: readonly string[]): string[] {
  const values = names.flatMap((name) => env[name] ?? []);
  return [...new Set(values.filter((value) => value !== ''))];
}

/** That a project asks to have variables shown, in words; nothing where it does not. */
export function unmaskingProblem(project: readonly string[], userFile: string): string[] {
  const names = project.filter(isUnmasking);
  if (names.length === 0) return [];
  return [
    `The project asks to show what is masked (secrets: ${names.join(', ')}); only you can: put it into ${userFile}.`,
  ];
}

function isUnmasking(name: string): boolean {
  return name.startsWith('!');
}
