import * as z from 'zod';
import { count, entry, halt, list, text } from '../shapes.ts';
import { nextAction } from './session.ts';

/** Workflows, agents, settings and upkeep. */

const place = { file: text.exactOptional(), node: text.exactOptional(), block: text.exactOptional() };
export const validation = {
  workflow: text,
  file: text,
  valid: z.boolean(),
  problems: z.array(
    z.strictObject({
      severity: z.enum(['error', 'warning']),
      message: text,
      ...place,
      index: count.exactOptional(),
      line: count.exactOptional(),
      column: count.exactOptional(),
      path: z.array(z.union([text, count])),
      text,
    }),
  ),
  unconfigured: list,
};

export const simulation = {
  workflow: text,
  status: text,
  halt: halt.nullable(),
  error: z.json().nullable(),
  trail: z.array(entry),
  unused: list,
  path: list,
  expected: z.strictObject({ status: text.exactOptional(), path: list.exactOptional() }).nullable(),
  differences: list,
};

const amounts = z.strictObject({ usd: count, tokens: count, runs: count });
const ofScope = z.strictObject({
  spent: amounts,
  most: z.strictObject({
    usd: count.exactOptional(),
    tokens: count.exactOptional(),
    runs: count.exactOptional(),
  }),
});
export const spent = { day: text, today: ofScope, project: ofScope, raised: amounts, reserved: amounts };

const setting = z.union([text, count, z.boolean(), list]);
export const settings = {
  commands: z.array(
    z.strictObject({
      kind: text,
      command: text.nullable(),
      source: z.enum(['configured', 'detected', 'none']),
      from: text.nullable(),
      problem: text.exactOptional(),
    }),
  ),
  settings: z.array(
    z.strictObject({
      key: text,
      variable: text,
      value: setting,
      source: z.enum(['default', 'file', 'environment', 'flag', 'user', 'detected']),
      default: setting,
      meaning: text,
    }),
  ),
  userFile: text,
  warnings: list,
  errors: list,
};

export const agents = {
  agents: z.array(
    z.strictObject({
      type: text,
      displayName: text,
      icon: text.exactOptional(),
      binary: z.looseObject({ path: text, how: z.enum(['explicit', 'project', 'path']) }).exactOptional(),
      passedOver: text.exactOptional(),
      version: z.looseObject({ version: text }).exactOptional(),
      testedVersion: text.exactOptional(),
      login: z.looseObject({ state: z.enum(['seen', 'unseen', 'not-needed']) }),
      modes: list,
      problems: z.array(
        z.strictObject({ kind: z.enum(['missing', 'repository', 'version']), message: text, next: text }),
      ),
    }),
  ),
  problems: list,
};

export const doctor = {
  findings: z.array(
    z.strictObject({
      level: z.enum(['good', 'note', 'wrong']),
      what: text,
      next: nextAction.exactOptional(),
    }),
  ),
  ok: z.boolean(),
};

export const trust = {
  path: text,
  trusted: z.boolean(),
  by: z.enum(['record', 'environment']).exactOptional(),
  since: text.exactOptional(),
  digest: text,
  obeys: z.array(z.strictObject({ kind: z.enum(['runs', 'obeys']), what: text, from: text })),
  files: list,
  changes: z.array(z.strictObject({ path: text, change: z.enum(['added', 'changed', 'removed']) })),
  state: list,
  /** Where it was written down. */
  file: text.exactOptional(),
};
export const untrusted = { path: text, removed: z.boolean() };

const found = z.strictObject({ command: list, from: text });
export const init = {
  file: text,
  found: z.strictObject({
    test: found.exactOptional(),
    lint: found.exactOptional(),
    build: found.exactOptional(),
  }),
  /** How a new worktree gets its dependencies, as it was written. */
  worktrees: z
    .strictObject({ from: text, share: list.exactOptional(), setup: z.array(list).exactOptional() })
    .exactOptional(),
  excluded: text,
};

export const clean = {
  deleted: z.boolean(),
  sessions: z.array(z.strictObject({ id: text, status: text, size: count, updatedAt: count })),
  bytes: count,
  kept: count,
  filesKept: z.record(text, text),
  undelivered: z.record(text, text),
  disk: z.array(z.strictObject({ what: text, count, bytes: count.exactOptional() })).exactOptional(),
  databaseFreed: count.exactOptional(),
};

/** One piece of what a process printed; `logs --json` writes one a line. */
export const logPiece = { task: text, log: text, text };

/** Where the dashboard is, without a key; and the keys that a running one was asked for. */
export const served = { address: text, port: count };
export const oneTimeUrl = { url: text };
export const scriptToken = { bearer: text };
