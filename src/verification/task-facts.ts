import * as z from 'zod';
import { REPOSITORY_MODES, ROLES, TASK_ORIGINS } from '../kernel/runtime-words.ts';

const texts = z.array(z.string()).default([]);

const shape = z.object({
  id: z.string().default(''),
  title: z.string().default(''),
  goal: z.string().default(''),
  /** Whose words the title and the goal are: a person's who is here, or text that came from elsewhere. */
  origin: z.enum(TASK_ORIGINS).default('person'),
  role: z.enum(ROLES).default('worker'),
  mode: z.enum(REPOSITORY_MODES).default('local-git'),
  /** Patterns; none means everything. */
  allowedPaths: texts,
  deniedPaths: texts,
  expectedFiles: texts,
  /** The task's own verification commands, in order. */
  commands: texts,
  /** The task may be done without a change: only its commands count. */
  verifyOnly: z.boolean().default(false),
  /** A person said that the task is about tests. */
  testsMayChange: z.boolean().default(false),
  /** A test must show the change: red without it, green with it. */
  redGreen: z.boolean().default(false),
});

/** What verification has to know about a task. */
export type TaskFacts = z.output<typeof shape>;

/** Fills in what is missing; throws a ZodError that names what has the wrong shape. */
export function readTaskFacts(value: unknown): TaskFacts {
  return shape.parse(value);
}
