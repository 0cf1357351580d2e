import * as z from 'zod';
import { count, list, object, text } from '../shapes.ts';
import * as files from '../views/files.ts';
import * as project from '../views/project.ts';
import { id, name, number, table } from './route.ts';

const shape = z.strictObject;
const refused = ['not-found', 'conflict', 'busy', 'denied', 'storage'] as const;
const { deleted: _deleted, sessions: _sessions, kept: _kept, ...cleaning } = project.clean;

/** Workflows, agents, settings, money and room on the disk. */
export const upkeepRoutes = table({
  workflows: {
    method: 'GET',
    path: '/workflows',
    summary: 'Every workflow that can be named, the own ones first',
    reply: shape({
      workflows: z.array(
        shape({
          name: text,
          kind: z.enum(['shipped', 'own']),
          configured: z.boolean(),
          blocks: count,
          workers: list,
          gates: list,
          scenarios: list,
          problem: text.exactOptional(),
        }),
      ),
    }),
  },
  workflow: {
    method: 'GET',
    path: '/workflows/:name',
    summary: 'A workflow as its file has it, its graph and its problems',
    params: shape({ name }),
    reply: shape({
      name: text,
      kind: z.enum(['shipped', 'own']),
      text,
      graph: z.looseObject({ blocks: z.array(z.looseObject({ id: text })) }).nullable(),
      validation: z.looseObject({ valid: z.boolean(), problems: z.array(z.looseObject({ message: text })) }),
    }),
    refused: ['not-found'],
  },
  validateWorkflow: {
    method: 'POST',
    path: '/workflows/validate',
    summary: 'All problems of a workflow at once',
    body: shape({ document: object, strict: z.boolean().optional() }),
    reply: z.looseObject({ valid: z.boolean(), problems: z.array(z.looseObject({ message: text })) }),
  },
  simulate: {
    method: 'POST',
    path: '/workflows/simulate',
    summary:
      'Runs a workflow in the real engine with the answers of one of its scenarios; nothing is started',
    body: shape({ name, scenario: name }),
    reply: z.looseObject({ workflow: text, status: text, path: list, differences: list }),
    refused: ['not-found'],
  },
  worktrees: {
    method: 'GET',
    path: '/worktrees',
    summary: 'The worktrees of sessions and tasks',
    reply: z.looseObject({ worktrees: z.array(z.looseObject({ id: text, path: text })) }),
    refused: ['conflict'],
  },
  gc: {
    method: 'POST',
    path: '/worktrees/gc',
    summary: 'Removes the worktrees that nobody needs; forced only with the word "force" as confirmation',
    body: shape({
      dryRun: z.boolean(),
      force: z.boolean().optional(),
      confirm: z.literal('force').optional(),
    }),
    reply: shape(files.gc),
    refused,
  },
  disk: {
    method: 'GET',
    path: '/disk',
    summary: 'What is kept on the disk, and how much of it',
    reply: shape({ disk: z.array(shape({ what: text, count, bytes: count.exactOptional() })) }),
  },
  clean: {
    method: 'POST',
    path: '/clean',
    summary: 'Deletes sessions that have ended; never work that was delivered nowhere',
    body: shape({
      dryRun: z.boolean(),
      sessions: z.array(id).optional(),
      olderThanMs: z.number().nonnegative().optional(),
    }),
    reply: z.looseObject({ bytes: cleaning.bytes, chosen: z.array(z.looseObject({ id: text })) }),
    refused,
  },
  agents: {
    method: 'GET',
    path: '/agents',
    summary: 'The agents of this machine, and those that are out of quota',
    reply: z.looseObject({
      agents: z.array(z.looseObject({ type: text })),
      problems: list,
      blocked: z.array(shape({ agent: text, until: count, reason: text })),
    }),
  },
  doctor: {
    method: 'GET',
    path: '/doctor',
    summary: 'What this project needs, and what is missing of it',
    reply: shape(project.doctor),
  },
  unblockAgent: {
    method: 'POST',
    path: '/agents/:name/unblock',
    summary: 'Lets an agent be used again before its time',
    params: shape({ name }),
    body: shape({}),
    reply: shape({ agent: text }),
    refused: ['not-found'],
  },
  costs: {
    method: 'GET',
    path: '/costs',
    summary: 'What was used, by day, agent, workflow, task or session',
    query: shape({
      by: z.enum(['day', 'agent', 'workflow', 'task', 'session']).optional(),
      /** Only the last so many days. */
      days: number.optional(),
    }),
    reply: shape({
      by: text,
      total: shape({ usd: count, tokens: count, steps: count }),
      rows: z.array(shape({ key: text, usd: count, tokens: count, steps: count, estimated: z.boolean() })),
      unread: list,
    }),
  },
  budget: {
    method: 'GET',
    path: '/budget',
    summary: 'What all sessions used today and in all, and may',
    reply: shape(project.spent),
  },
  raiseBudget: {
    method: 'POST',
    path: '/budget',
    summary: 'Lets today use more',
    body: shape({
      raise: shape({
        usd: z.number().positive().exactOptional(),
        tokens: z.number().positive().exactOptional(),
        runs: z.int().positive().exactOptional(),
      }),
    }),
    reply: shape(project.spent),
    refused: ['denied'],
  },
  settings: {
    method: 'GET',
    path: '/settings',
    summary: 'Every setting, its value and where it comes from',
    reply: shape(project.settings),
  },
  setSetting: {
    method: 'PATCH',
    path: '/settings',
    summary: "Writes one setting of the project's own file; null takes it out",
    body: shape({ key: name, value: z.json() }),
    reply: shape({ file: text, key: text }),
    refused: ['not-found', 'denied'],
  },
  calls: {
    method: 'GET',
    path: '/sessions/:id/calls',
    summary: 'Every run of an agent in a session, newest first',
    params: shape({ id }),
    reply: shape({ calls: z.array(z.looseObject({ call: text, step: count, agent: text })) }),
    refused: ['not-found', 'storage'],
  },
  call: {
    method: 'GET',
    path: '/sessions/:id/calls/:call',
    summary: 'One run of an agent with what went in and what came out',
    params: shape({ id, call: name }),
    reply: z.looseObject({
      call: text,
      prompts: z.array(shape({ task: text, text, at: count })),
      answer: text,
    }),
    refused: ['not-found', 'storage'],
  },
  researchJobs: {
    method: 'GET',
    path: '/research',
    summary: 'The research jobs of the project, the newest first',
    reply: shape({
      jobs: z.array(
        shape({ job: text, query: text, profile: text, tasks: count, done: count, updatedAt: count }),
      ),
    }),
  },
  startResearch: {
    method: 'POST',
    path: '/research',
    summary: 'Asks a question, in a process of its own',
    body: shape({
      question: z.string().min(1).max(20_000),
      profile: z.enum(['low', 'mid', 'high', 'ultra']).optional(),
    }),
    reply: shape({ pid: count }),
    status: 202,
    refused: ['denied'],
  },
  researchJob: {
    method: 'GET',
    path: '/research/:id',
    summary: 'Everything that a research job has found so far',
    params: shape({ id }),
    reply: z.looseObject({ job: text, query: text, claims: z.array(z.looseObject({ text })) }),
    refused: ['not-found'],
  },
  continueResearch: {
    method: 'POST',
    path: '/research/:id/continue',
    summary: 'Continues a research job that was stopped',
    params: shape({ id }),
    body: shape({}),
    reply: shape({ pid: count }),
    status: 202,
    refused: ['not-found', 'denied'],
  },
});
