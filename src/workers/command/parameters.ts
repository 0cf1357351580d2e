import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { loaderProblem } from '../../kernel/loader-variables.ts';
import { checkRelativePath } from '../../kernel/path-rules.ts';
import { readCommand } from '../../verification/commands/project-commands.ts';
import { unknownParameters } from '../parameters.ts';

/** The block's `with`, read. */
export interface CommandParameters {
  readonly argv: readonly string[];
  readonly env: Texts;
  readonly cwd: string;
  readonly exitCodes: Texts;
  readonly timeoutMs: number | undefined;
  readonly segmentType: string;
}

type Texts = { readonly [key: string]: string };
type Complain = (problem: string) => void;

const KNOWN = ['argv', 'command', 'exit_codes', 'cwd', 'timeout_minutes', 'env', 'segment_type'];
const EXIT_CODE = /^(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/;

/** Reads all parameters and names everything that is wrong with them. */
export function readParameters(given: JsonObject): CommandParameters | { readonly problems: string[] } {
  const problems = unknownParameters(given, KNOWN);
  const complain: Complain = (problem) => problems.push(problem);
  const command = readWords(given, complain);
  const read = {
    argv: command.argv,
    env: { ...command.env, ...readEnv(given.env, complain) },
    cwd: readFolder(given.cwd, complain),
    exitCodes: readExitCodes(given.exit_codes, complain),
    timeoutMs: readMinutes(given.timeout_minutes, complain),
    segmentType: readType(given.segment_type, complain),
  };
  return problems.length > 0 ? { problems } : read;
}

function readWords(
  { argv, command }: JsonObject,
  complain: Complain,
): { argv: readonly string[]; env: Texts } {
  const nothing = { argv: [], env: {} };
  const text = argv ?? command;
  if (text === undefined || (argv !== undefined && command !== undefined)) {
    complain('Give either "argv" (a list of words) or "command" (one line).');
    return nothing;
  }
  const read = readCommand(text, argv === undefined ? '"command"' : '"argv"');
  if (read.ok) return read;
  complain(read.reason);
  return nothing;
}

function readFolder(cwd: JsonValue | undefined, complain: Complain): string {
  if (cwd === undefined || cwd === '.') return '';
  const reason = typeof cwd === 'string' ? checkRelativePath(cwd) : 'is not a text';
  if (reason !== undefined) complain(`"cwd" ${reason}.`);
  return typeof cwd === 'string' ? cwd : '';
}

function readMinutes(minutes: JsonValue | undefined, complain: Complain): number | undefined {
  if (minutes === undefined) return undefined;
  if (typeof minutes === 'number' && minutes > 0) return minutes * 60_000;
  complain('"timeout_minutes" must be a number above 0.');
  return undefined;
}

function readType(type: JsonValue = 'COMMAND_RESULT', complain: Complain): string {
  if (typeof type === 'string' && type !== '') return type;
  complain('"segment_type" must be a text.');
  return '';
}

function readEnv(env: JsonValue = {}, complain: Complain): Texts {
  const read = texts(env);
  if (!read) complain('"env" must be an object of texts.');
  const loads = loaderProblem(read ?? {});
  if (loads !== undefined) complain(`"env": ${loads}.`);
  return read ?? {};
}

function readExitCodes(codes: JsonValue = {}, complain: Complain): Texts {
  const read = texts(codes);
  if (!read) complain('"exit_codes" must be an object such as { "3": "SIGNAL:RETRY" }.');
  for (const [code, signal] of Object.entries(read ?? {})) {
    if (!EXIT_CODE.test(code)) complain(`"exit_codes": ${code} is not an exit code (0 to 255).`);
    if (!/^SIGNAL:./.test(signal))
      complain(`"exit_codes": "${signal}" is not a signal such as "SIGNAL:RETRY".`);
  }
  return read ?? {};
}

function texts(value: JsonValue): Texts | undefined {
  if (!isJsonObject(value)) return undefined;
  const read: { [key: string]: string } = {};
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') return undefined;
    read[key] = text;
  }
  return read;
}
