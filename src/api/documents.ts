import * as z from 'zod';
import { API_VERSION } from './version.ts';
import * as backlog from './views/backlog.ts';
import * as files from './views/files.ts';
import * as project from './views/project.ts';
import * as session from './views/session.ts';

function document<S extends z.core.$ZodShape>(shape: S) {
  return z.strictObject({ apiVersion: z.literal(API_VERSION), ...shape });
}

/** What `--json` prints, by command: one document, or the last line of a stream of events. */
export const documents = {
  accept: document(files.accept),
  abort: document(session.aborted),
  agents: document(project.agents),
  answer: document(session.stageTask),
  board: document(backlog.board),
  clean: document(project.clean),
  complete: document(session.stageTask),
  budget: document(project.spent),
  config: document(project.settings),
  conflicts: document(files.conflicts),
  diff: document(files.diff),
  discard: document(files.discard),
  doctor: document(project.doctor),
  error: document(session.commandFailed),
  fork: document(files.fork),
  hold: document(files.hold),
  init: document(project.init),
  interrupt: document(session.interrupted),
  judge: document(backlog.verdict),
  keep: document(files.keep),
  ps: document(session.running),
  'ps --needs-you': document(session.needsYou),
  research: document(backlog.researchResult),
  restore: document(backlog.restored),
  rewind: document(files.rewind),
  run: document(session.runResult),
  runtimes: document(backlog.runtimes),
  sessions: document(session.sessions),
  show: document(session.session),
  'show --log': document(session.fullLogs),
  simulate: document(project.simulation),
  stop: document(session.stageTask),
  'task add': document(backlog.task),
  'task import': document(backlog.added),
  'task list': document(backlog.tasks),
  'task rm': document(backlog.removed),
  'task show': document(backlog.story),
  timeline: document(files.timeline),
  trust: document(project.trust),
  'trust --remove': document(project.untrusted),
  ui: document(project.served),
  'ui --bearer': document(project.scriptToken),
  'ui --url': document(project.oneTimeUrl),
  undo: document(files.undo),
  unhold: document(files.unhold),
  validate: document(project.validation),
  work: document(backlog.workResult),
  worktrees: document(files.worktrees),
  'worktrees gc': document(files.gc),
} as const;

/** What a command prints line by line, where it has no events and no result. */
export const lines = {
  'logs line': z.strictObject(project.logPiece),
} as const;

export type DocumentName = keyof typeof documents;
