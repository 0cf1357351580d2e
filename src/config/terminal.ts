/** What the environment says about how to show things; decided once, here. */
export interface TerminalSettings {
  readonly color: boolean;
  /** Show where an error came from. */
  readonly debug: boolean;
}

export type Environment = { readonly [name: string]: string | undefined };

/** The one place that hands out the environment of this process. */
export function processEnvironment(): Environment {
  return process.env;
}

export function terminalSettings(isTerminal: boolean, env: Environment): TerminalSettings {
  return { color: wantsColor(isTerminal, env), debug: isOn(env['LOOPWRIGHT_DEBUG']) };
}

/** FORCE_COLOR wins over NO_COLOR, as in Node itself. */
function wantsColor(isTerminal: boolean, env: Environment): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return isTerminal && env['TERM'] !== 'dumb';
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}
