import * as z from 'zod';
import { KINDS } from '../backlog/words.ts';
import { REPOSITORY_MODES, ROLES } from '../kernel/runtime-words.ts';
import { object } from './shapes.ts';
import { budget } from './views/session.ts';

const text = z.string().min(1);
const list = z.array(text).exactOptional();

/** One task of it. */
export const draft = z.strictObject({
  title: text.describe('What is to be done, in one line.'),
  key: text.exactOptional().describe('What other tasks of the file call it.'),
  goal: text.exactOptional().describe('What is to be reached, in more words than the title.'),
  kind: z.enum(KINDS).exactOptional().describe('code when absent.'),
  role: z.enum(ROLES).exactOptional().describe('Who does it; worker when absent.'),
  mode: z.enum(REPOSITORY_MODES).exactOptional().describe('The configured one when absent.'),
  allowedPaths: list.describe('What it may change: files, folders or globs.'),
  deniedPaths: list.describe('What it must not change; wins over allowedPaths.'),
  expectedFiles: list.describe('Files that must exist afterwards.'),
  commands: list.describe('Commands that must pass.'),
  dependencies: list.describe('Keys, titles or ids of tasks that must be done before.'),
  priority: z.int().exactOptional().describe('The lower number goes first; 100 when absent.'),
  timeboxMinutes: z.number().positive().exactOptional().describe('How long an attempt may take.'),
  agents: list.describe('The agents to use, in this order.'),
  budget: budget.exactOptional(),
  context: object.exactOptional().describe('More for the worker.'),
  source: text.exactOptional().describe('Where it comes from; the same source is never added twice.'),
  notes: text.exactOptional().describe('What the next attempt should know.'),
});

/** A file of tasks: a list, or an object with one as `tasks`. */
export const taskFile = z.union([
  z.array(draft),
  z.strictObject({ $schema: z.string().exactOptional(), tasks: z.array(draft) }),
]);
