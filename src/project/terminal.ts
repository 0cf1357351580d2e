/** What the environment says about the terminal; the one reader of the environment is the configuration. */
export { processEnvironment, terminalSettings } from '../config/terminal.ts';
