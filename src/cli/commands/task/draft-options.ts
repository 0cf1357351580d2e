import type { TaskDraft } from '../../../backlog/task.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json.ts';
import type { TaskCommandOptions } from '../../../project/backlog/open-backlog.ts';
import { parseBudget, parsePriority } from '../../option-values.ts';

/** What `add` and `edit` have in common; the words are checked with the rest of the draft. */
export interface DraftOptions extends TaskCommandOptions {
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
  readonly notes?: string;
}

type Draft = Partial<Omit<TaskDraft, 'dependencies'>>;

/** Only what was given. */
export function draftFrom(options: DraftOptions): Draft {
  const given: { readonly [field in keyof Draft]: Draft[field] | undefined } = {
    goal: options.goal,
    kind: options.kind as Draft['kind'],
    role: options.role as Draft['role'],
    mode: options.mode as Draft['mode'],
    allowedPaths: options.allow,
    deniedPaths: options.deny,
    expectedFiles: options.expect,
    commands: options.command,
    priority: options.priority === undefined ? undefined : parsePriority(options.priority),
    timeboxMinutes: options.timebox === undefined ? undefined : Number(options.timebox),
    agents: options.agent,
    budget: options.budget === undefined ? undefined : parseBudget(options.budget),
    context: options.context === undefined ? undefined : parseContext(options.context),
    notes: options.notes,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
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
