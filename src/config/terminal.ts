/** What the environment says about how to show things; decided once, here. */
export interface TerminalSettings {
  readonly color: boolean;
  /** Show where an error came from. */
  readonly debug: boolean;
  /** How wide a line may be, where the output itself cannot say. */
  readonly columns?: number;
  /** How the terminal is asked to show a notification; absent: it is not known to. */
  readonly notification?: 'osc9' | 'osc777';
}

/** Less is no window that anybody reads. */
const NARROWEST = 20;

export type Environment = { readonly [name: string]: string | undefined };

/** The one place that hands out the environment of this process. */
export function processEnvironment(): Environment {
  return process.env;
}

export function terminalSettings(isTerminal: boolean, env: Environment): TerminalSettings {
  const columns = Number(env['COLUMNS'] ?? 0);
  const notification = isTerminal ? notificationOf(env) : undefined;
  return {
    color: wantsColor(isTerminal, env),
    debug: isOn(env['LOOPWRIGHT_DEBUG']),
    ...(columns >= NARROWEST ? { columns } : {}),
    ...(notification === undefined ? {} : { notification }),
  };
}

/** Others would print the words, or show nothing. A multiplexer in between swallows them. */
function notificationOf(env: Environment): TerminalSettings['notification'] {
  const { TERM = '', TERM_PROGRAM = '', TMUX = '' } = env;
  if (TMUX !== '' || TERM.startsWith('screen')) return undefined;
  if (['iTerm.app', 'WezTerm', 'ghostty'].includes(TERM_PROGRAM) || TERM === 'xterm-ghostty') return 'osc9';
  return TERM === 'foot' || TERM.startsWith('rxvt-unicode') ? 'osc777' : undefined;
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
