import { type Command, Option } from 'commander';
import { UsageError } from '../../../../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../../../../kernel/json.ts';
import { REVIEWS, type Review, TESTS_MAY_CHANGE } from '../../../../kernel/runtime-words.ts';
import type { TaskWords } from '../../../../project/backlog/tasks.ts';
import { DIR, JSON_DOCUMENT, type ProjectOptions } from '../../../cli.ts';
import { budgetOption, parseBudget, parsePriority } from '../../../option-values.ts';

/** What `add` and `edit` have in common; the words are checked with the rest of the draft. */
export interface DraftOptions extends ProjectOptions {
  readonly goal?: string;
  readonly kind?: string;
  readonly role?: string;
  readonly mode?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly expect?: readonly string[];
  readonly command?: readonly string[];
  readonly priority?: string;
  readonly timebox?: string;
  readonly agent?: readonly string[];
  readonly budget?: string;
  readonly context?: string;
  readonly tests?: typeof TESTS_MAY_CHANGE;
  readonly review?: Review;
  readonly redGreen?: true;
  readonly notes?: string;
}

export function withDraftOptions(command: Command): Command {
  return command
    .option('--goal <text>', 'what is to be reached, in more words than the title')
    .option('--kind <kind>', 'code or research')
    .option('--role <role>', 'who does it: worker, tester or docser')
    .option('--mode <mode>', 'github, local-git or direct; the configured one otherwise')
    .option(
      '--allow <path...>',
      'what it may change: files, folders or globs; others with the same wait for it',
    )
    .option('--deny <path...>', 'what it must not change; wins over --allow')
    .option('--expect <file...>', 'files that must exist afterwards')
    .option('--command <line...>', 'commands that must pass')
    .option('--priority <n>', 'the lower number goes first; 100 otherwise')
    .option('--timebox <minutes>', 'how long an attempt may take')
    .option('--agent <name...>', 'the agents to use, in this order; the configured one otherwise')
    .addOption(budgetOption())
    .addOption(new Option('--context <json>', 'more for the worker, as a JSON object'))
    .addOption(
      new Option('--tests <rule>', 'the task is about tests: changed and removed ones are only told').choices(
        [TESTS_MAY_CHANGE],
      ),
    )
    .addOption(
      new Option(
        '--review <who>',
        'who looks at it before it is done: person, or none if a check has proven it; the configured one otherwise',
      ).choices(REVIEWS),
    )
    .option('--red-green', 'a test must show the change: red without it, green with it')
    .option('--notes <text>', 'what the next attempt should know')
    .option(...DIR)
    .option(...JSON_DOCUMENT);
}

/** Only what was given. */
export function draftFrom(options: DraftOptions): TaskWords {
  const given: { readonly [field in keyof TaskWords]: TaskWords[field] | undefined } = {
    goal: options.goal,
    kind: options.kind as TaskWords['kind'],
    role: options.role as TaskWords['role'],
    mode: options.mode as TaskWords['mode'],
    allowedPaths: options.allow,
    deniedPaths: options.deny,
    expectedFiles: options.expect,
    commands: options.command,
    priority: options.priority === undefined ? undefined : parsePriority(options.priority),
    timeboxMinutes: options.timebox === undefined ? undefined : Number(options.timebox),
    agents: options.agent,
    budget: options.budget === undefined ? undefined : parseBudget(options.budget),
    context: contextOf(options),
    notes: options.notes,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function contextOf({ context, tests, review, redGreen }: DraftOptions): JsonObject | undefined {
  const given = context === undefined ? undefined : parseContext(context);
  const said = {
    ...(tests === undefined ? {} : { tests }),
    ...(review === undefined ? {} : { review }),
    ...(redGreen ? { redGreen } : {}),
  };
  return Object.keys(said).length === 0 ? given : { ...given, ...said };
}

function parseContext(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError('--context is not a JSON object.', { next: `Write --context '{"name": "value"}'.` });
}
