import * as z from 'zod';
import { didYouMean } from '../../kernel/suggest.ts';

/** Refuses keys it does not know: a misspelt one would be ignored in silence. */
function strictObject<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape);
  const complaint = (key: string) => `The key "${key}" is not known here.${didYouMean(key, known)}`;
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? issue.keys.map(complaint).join(' ') : undefined),
  });
}

const text = z.string().min(1);
const args = z.array(z.string());
const env = z.record(text, z.string());

const regex = z.string().check((context) => {
  const problem = regexProblem(context.value, '');
  if (problem) context.issues.push({ code: 'custom', input: context.value, message: problem });
});

/** How one setting reaches the CLI. `{value}` stands for its value. */
const setting = strictObject({
  args: args.exactOptional(),
  env: env.exactOptional(),
  /** Only where the process runs as root. */
  envAsRoot: env.exactOptional(),
  /** `last`: right before the prompt, behind what the caller adds; for a subcommand. */
  place: z.literal('last').exactOptional(),
  /** Dialogue only: laid over what the CLI gets when the conversation is opened. */
  params: z.record(text, z.json()).exactOptional(),
});

const settings = strictObject({
  model: setting.exactOptional(),
  /** A level that is absent is one the CLI does not have in this mode. */
  permissions: strictObject({
    read: setting.exactOptional(),
    ask: setting.exactOptional(),
    edits: setting.exactOptional(),
    all: setting.exactOptional(),
  }).exactOptional(),
  maxTurns: setting.exactOptional(),
  maxUsd: setting.exactOptional(),
  resume: setting.exactOptional(),
  /** Beside `resume`: the CLI goes on with a copy of the conversation and leaves the original alone. */
  fork: setting.exactOptional(),
  /** A prompt that stands in a file in `{folder}`, because it is too long for an argument. */
  promptFile: setting.exactOptional(),
});

const path = z.string().regex(/^[^.\s]+(\.[^.\s]+)*$/, 'must be a path such as usage.input_tokens');

/** Where the JSON lines of the CLI tell what it used. */
const usagePaths = strictObject({
  input: path,
  output: path,
  cached: path.exactOptional(),
  /** The cached ones come on top of `input`; else they are part of it. */
  cachedBeside: z.boolean().default(false),
  usd: path.exactOptional(),
  /** The name by which it is priced where the CLI tells no money. */
  model: path.exactOptional(),
  /** `step`: each line tells what came on top. `run`: each tells all that the run has used so far. */
  counts: z.enum(['step', 'run']).default('step'),
});

const mode = strictObject({
  args: args.default([]),
  promptPosition: z.enum(['last', 'flag']).default('last'),
  /** One that ends in `=` and the prompt are one argument. */
  promptFlag: text.exactOptional(),
  /** `--` before the prompt, so that no prompt is taken for an option. */
  endOfOptions: z.boolean().default(false),
  /** The prompt is written to standard input: always, or only where it is too long for an argument. */
  promptInput: z.enum(['always', 'long']).exactOptional(),
  closeStdin: z.boolean().default(false),
  /** A variable that holds `{files}` is left out where the run has no folder for files. */
  env: env.exactOptional(),
  /** Files that the CLI is to find in `{files}`: name to content. */
  files: z.record(z.string().regex(/^[\w.-]+$/, 'must be a plain file name'), z.string()).exactOptional(),
  /** The reader of what the CLI prints in this mode. */
  stream: text.exactOptional(),
  usage: usagePaths.exactOptional(),
  /** ACP: the way of logging in that the CLI is asked for before a session is opened. */
  authenticate: text.exactOptional(),
  settings: settings.default({}),
}).check((context) => {
  const { promptPosition, promptFlag } = context.value;
  if (promptPosition !== 'flag' || promptFlag !== undefined) return;
  const message = '"promptFlag" is missing; "promptPosition": "flag" needs it.';
  context.issues.push({ code: 'custom', input: context.value, message, path: ['promptFlag'] });
});

/** The CLI is talked to in both directions: the prompt and the answers to its questions are messages. */
const dialogue = mode.check((context) => {
  if (context.value.stream !== undefined) return;
  const message = '"stream" is missing; in a dialogue it carries the prompt.';
  context.issues.push({ code: 'custom', input: context.value, message, path: ['stream'] });
});

/** Only a dialogue has messages that could carry these; elsewhere they would be ignored in silence. */
const plainMode = mode.check((context) => {
  if (context.value.authenticate !== undefined) {
    const message = '"authenticate" would not be used: only "modes.dialogue" has messages to carry it.';
    context.issues.push({ code: 'custom', input: context.value, message, path: ['authenticate'] });
  }
  const { permissions = {}, ...others } = context.value.settings;
  for (const [name, value] of Object.entries({ ...others, ...permissions })) {
    if (value.params === undefined) continue;
    const message = `"params" of "${name}" would not be used: only "modes.dialogue" has messages to carry them.`;
    context.issues.push({ code: 'custom', input: context.value, message, path: ['settings'] });
  }
});

const statePattern = strictObject({
  pattern: z.string().min(1),
  flags: z.string().default('u'),
  description: z.string().exactOptional(),
  kind: z.enum(['interaction', 'working', 'idle']).exactOptional(),
  pick: z.enum(['number', 'arrows']).exactOptional(),
}).check((context) => {
  const problem = regexProblem(context.value.pattern, context.value.flags);
  if (problem)
    context.issues.push({ code: 'custom', input: context.value, message: problem, path: ['pattern'] });
});

const errorPattern = strictObject({
  pattern: regex,
  kind: z.enum(['quota', 'auth', 'overloaded', 'network', 'refused', 'loop', 'crash']),
});

const version = z.string().regex(/^\d+(\.\d+){0,2}$/, 'must be a version such as 1.2.3');

const binary = strictObject({
  /** `./x` is relative to the definition, `{node}` is the running Node. */
  command: text,
  npmPackage: text.exactOptional(),
  /** The oldest that was seen to work. */
  minimumVersion: version.exactOptional(),
  /** The newest that the adapter was tested with. */
  testedVersion: version.exactOptional(),
  versionArgs: args.default(['--version']),
  install: text.exactOptional(),
  /** The variables of its provider, by name or as `NAME_*`: it gets these and no other agent's. */
  variables: z.array(text).default([]),
  /** What it keeps of its own: folders end in `/`. `~/` is the home folder, `{NAME}` a variable. */
  folders: z.array(text).default([]),
  /** Where its provider is, such as `api.example.com` or `*.example.com`; nothing else is reached from a sandbox. */
  hosts: z.array(text).default([]),
  /** With which permissions the CLI itself encloses the commands it runs, inside of whatever encloses the CLI. */
  ownSandbox: z.array(z.enum(['read', 'ask', 'edits', 'all'])).default([]),
  login: strictObject({
    env: z.array(text).default([]),
    /** `~/` is the home folder. */
    files: z.array(text).default([]),
    how: text.exactOptional(),
  }).exactOptional(),
});

export const definitionShape = strictObject({
  $schema: z.string().exactOptional(),
  metadata: strictObject({ displayName: text.exactOptional(), icon: text.exactOptional() }).default({}),
  binary,
  /** Whose models it can use, where that is limited: `provider/model` is told to it without its provider. */
  models: strictObject({ providers: z.array(text).min(1) }).exactOptional(),
  modes: strictObject({
    headless: plainMode.exactOptional(),
    interactive: plainMode.exactOptional(),
    /** Used by headless runs with a permission that `headless` does not have. */
    dialogue: dialogue.exactOptional(),
  }),
  /** How the painted screen looks; the first matching interaction wins. */
  states: z.record(text, statePattern).default({}),
  /** What the words of the CLI mean when something went wrong; the first that matches wins. */
  errors: z.array(errorPattern).default([]),
});

/** What loopwright knows about one CLI, as data. */
export type AdapterDefinition = z.infer<typeof definitionShape>;
export type ModeDefinition = z.infer<typeof mode>;
export type ModeName = keyof AdapterDefinition['modes'];
export type SettingDefinition = z.infer<typeof setting>;
export type StateDefinition = z.infer<typeof statePattern>;

function regexProblem(pattern: string, flags: string): string | undefined {
  try {
    return void new RegExp(pattern, flags);
  } catch (error) {
    return `is not a regular expression: ${error instanceof Error ? error.message : String(error)}`;
  }
}
