import type { TaskFilter } from '../../backlog/backlog.ts';
import type { Cap } from '../../backlog/spend.ts';
import { TESTS_MAY_CHANGE } from '../../kernel/runtime-words.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { ApproveRequest } from '../backlog/accept-branch.ts';
import type { ImportSource } from '../backlog/import-tasks.ts';
import type { TaskWords } from '../backlog/tasks.ts';
import type { RerunRequest } from '../calls/rerun.ts';
import type { DetachedRequest } from '../detached/start.ts';
import type { AcceptRequest } from '../files/accept.ts';
import type { DeliverRequest } from '../files/deliver.ts';
import type { DiffRange } from '../files/diff.ts';
import type { GcRequest } from '../files/worktrees.ts';
import type { ContinueRequest } from '../runs/continue.ts';
import type { RunCompany } from '../runs/handle.ts';
import type { RunRequest } from '../runs/start.ts';
import type { ResearchRequest } from '../runtime/research.ts';
import type { WorkRequest } from '../runtime/work.ts';
import type { AbortRequest } from '../sessions/abort.ts';
import type { LogsRequest } from '../sessions/logs/logs.ts';
import type { BudgetRequest } from '../upkeep/budget.ts';
import type { CleanRequest } from '../upkeep/clean.ts';
import type { CostsRequest } from '../upkeep/costs.ts';
import type { looks, useCases } from '../use-cases.ts';
import {
  type Argument,
  amount,
  anything,
  callback,
  count,
  either,
  fields,
  flag,
  given,
  maybe,
  number,
  object,
  oneOf,
  signal,
  text,
  texts,
} from './shape.ts';

type UseCases = typeof looks & typeof useCases;

/** One entry per argument that the function takes after the project, so that none can be forgotten here. */
type Arguments<Load> = Load extends () => Promise<(opened: never, ...rest: infer Rest) => unknown>
  ? { readonly [Index in keyof Rest]-?: Argument }
  : never;

/** The fields of every alternative of a union. */
type AllOf<Union> = Union extends unknown ? keyof Union : never;
type Every<Union> = { readonly [Name in AllOf<Union>]?: unknown };

const session = maybe('session', text);
const task = given('task', text);
const step = given('step', number);
const workflow = either('a text or a workflow', text, object);
const budget = fields<Budget>({ steps: count, tokens: count, usd: amount, minutes: amount });

const company = {
  cancel: signal,
  workers: object,
  wait: flag,
  waitUntil: callback,
  attended: flag,
  ask: callback,
} as const satisfies { readonly [Name in keyof RunCompany]-?: unknown };

const onlyOfRun = {
  agent: text,
  stepping: flag,
  inputs: object,
  budget,
  inPlace: flag,
  includeDirty: flag,
  base: text,
  plan: texts,
  priority: number,
  noWait: flag,
  noBaseline: flag,
  tests: oneOf(TESTS_MAY_CHANGE),
  allow: texts,
  deny: texts,
  onWarning: callback,
  onPreparing: callback,
} as const;

const continuing = maybe(
  'options',
  fields<ContinueRequest>({
    ...company,
    guidance: text,
    answer: text,
    budget,
    takeOver: flag,
    manifest: oneOf('current'),
    allow: texts,
    noWait: flag,
  }),
);

/** The backlog reports what is wrong with these, which knows the words and names the task. */
const taskWords = {
  title: anything,
  goal: anything,
  kind: anything,
  role: anything,
  mode: anything,
  allowedPaths: anything,
  deniedPaths: anything,
  expectedFiles: anything,
  commands: anything,
  priority: anything,
  timeboxMinutes: anything,
  agents: anything,
  budget,
  context: anything,
  source: anything,
  notes: anything,
  needs: texts,
} as const;

/** What decides whether work is delivered, and who is told meanwhile. */
const proving = {
  unproven: flag,
  suspicious: text,
  cancel: signal,
  onPreparing: callback,
} as const satisfies { readonly [Name in keyof DeliverRequest]-?: unknown };

const cleaning = maybe(
  'options',
  fields<CleanRequest>({ sessions: texts, olderThanMs: amount, force: flag }),
);
const stageTask = maybe('options', fields<{ stageTask?: string }>({ stageTask: text }));

/** What each use case can be called with, by its name. */
export const takes: { readonly [Name in keyof UseCases]: Arguments<UseCases[Name]> } = {
  sessions: [maybe('options', fields<{ newest?: number }>({ newest: number }))],
  running: [],
  session: [session, maybe('options', fields<{ payload?: boolean }>({ payload: flag }))],
  findSession: [given('word', text)],
  candidates: [given('purpose', text)],
  trusted: [],
  trust: [maybe('options', fields<{ digest?: string }>({ digest: text }))],
  untrust: [],

  run: [
    given('goal', text),
    maybe(
      'options',
      fields<RunRequest>({
        ...company,
        ...onlyOfRun,
        workflow,
        start: text,
      }),
    ),
  ],
  pipeline: [
    given('file', text),
    maybe('goal', text),
    maybe('options', fields<Omit<RunRequest, 'workflow' | 'start'>>({ ...company, ...onlyOfRun })),
  ],
  resume: [session, continuing],
  retry: [session, continuing],
  step: [session, continuing],
  startDetached: [
    given(
      'request',
      fields<DetachedRequest>({ argv: texts, until: oneOf('session', 'runtime', 'line'), name: text }),
    ),
  ],
  abort: [session, maybe('options', fields<AbortRequest>({ reason: text, guidance: text }))],

  needsYou: [],
  follow: [],
  evidence: [given('session', text)],
  callsOf: [given('session', text)],
  callDetail: [given('session', text), given('call', text)],
  recentCalls: [maybe('filter', fields<{ agent?: string; block?: string }>({ agent: text, block: text }))],
  rerunCall: [
    given('session', text),
    given('call', text),
    maybe(
      'request',
      fields<RerunRequest>({ prompt: text, agent: text, model: text, permissions: text, maxUsd: amount }),
    ),
  ],
  runExperiment: [
    given('experiment', text),
    maybe('options', fields<{ cancel?: AbortSignal }>({ cancel: signal })),
  ],
  experiments: [given('session', text)],
  experiment: [given('experiment', text)],
  stopExperiment: [given('experiment', text)],
  removeExperiment: [given('experiment', text)],
  stepView: [session, step],
  stepContext: [session, step],
  nextContext: [session],
  logFiles: [session, maybe('step', number)],
  logs: [session, maybe('options', fields<LogsRequest>({ task: text, raw: flag, follow: flag }))],
  isTaskId: [given('word', text)],
  watch: [session],
  interrupt: [session, maybe('reason', text)],
  answer: [maybe('session', text), given('text', text), stageTask],
  endStageTask: [given('how', text), session, stageTask],
  stageTasks: [given('session', text)],
  typeInto: [given('session', text), given('stageTask', text), given('text', text)],
  reachOwner: [session],

  diff: [session, maybe('options', fields<DiffRange>({ step: number, from: number, to: number }))],
  diffFile: [
    session,
    given('path', text),
    maybe('options', fields<DiffRange>({ step: number, from: number, to: number })),
  ],
  timeline: [session],
  fork: [session, given('options', fields<{ at: number }>({ at: number }))],
  rewind: [session, given('options', fields<{ to: number }>({ to: number }))],
  hold: [session],
  unhold: [given('session', text)],
  delivery: [given('session', text)],
  accept: [
    session,
    maybe(
      'options',
      fields<AcceptRequest>({
        ...proving,
        pr: flag,
        merge: flag,
        message: text,
        into: text,
        acceptSecrets: text,
      }),
    ),
  ],
  undo: [session],
  keep: [
    session,
    maybe(
      'options',
      fields<{ message?: string; acceptSecrets?: string }>({ message: text, acceptSecrets: text }),
    ),
  ],
  discardable: [session],
  discard: [session],
  conflicts: [],
  planPreview: [given('paths', texts)],
  plans: [],
  extendPlan: [given('session', text), given('paths', texts)],
  plan: [session],
  worktrees: [],
  gc: [maybe('options', fields<GcRequest>({ dryRun: flag, force: flag }))],

  review: [given('session', text)],
  saveReview: [given('session', text), given('review', object)],
  reviewGuidance: [given('session', text)],
  reviewSent: [given('session', text)],

  tasks: [
    maybe(
      'filter',
      fields<TaskFilter & { all?: boolean }>({
        states: texts,
        role: text,
        limit: count,
        updatedSince: number,
        all: flag,
      }),
    ),
  ],
  board: [],
  story: [task],
  addTask: [given('title', anything), maybe('details', fields<TaskWords>(taskWords))],
  editTask: [
    task,
    given('changes', fields<TaskWords & { acceptSecrets?: string }>({ ...taskWords, acceptSecrets: text })),
  ],
  cancelTask: [task, maybe('reason', text)],
  requeueTask: [
    task,
    maybe('options', fields<{ reason?: string; notes?: string }>({ reason: text, notes: text })),
  ],
  removeTask: [task],
  importTasks: [
    given(
      'source',
      fields<Every<ImportSource>>({ file: text, text, format: oneOf('markdown', 'json'), issues: object }),
    ),
  ],
  approveTask: [task, maybe('options', fields<ApproveRequest>({ ...proving, merge: flag, message: text }))],
  reworkTask: [task, given('notes', text)],
  restorableFiles: [task, maybe('files', texts)],
  restore: [task, maybe('files', texts)],
  work: [maybe('options', fields<WorkRequest>({ role: text, concurrency: anything, once: flag }))],
  runtimes: [],
  stopRuntime: [given('runtime', text)],
  research: [
    given('request', fields<Every<ResearchRequest>>({ question: text, profile: text, continue: text })),
  ],

  researchJobs: [],
  researchJob: [given('job', text)],

  workflows: [],
  workflowText: [given('name', text)],
  simulateScenario: [given('name', text), given('scenario', text)],
  validate: [maybe('workflow', workflow), maybe('options', fields<{ strict?: boolean }>({ strict: flag }))],
  graph: [
    maybe('workflow', workflow),
    maybe('options', fields<{ start?: string; width?: number }>({ start: text, width: amount })),
  ],
  simulate: [
    maybe('workflow', workflow),
    given('options', fields<{ stubs: string; start?: string }>({ stubs: text, start: text })),
  ],

  agents: [],
  agentChoices: [maybe('role', text)],
  chooseAgent: [given('agent', text)],
  doctor: [],
  budget: [
    maybe(
      'options',
      fields<BudgetRequest>({ raise: fields<Cap>({ usd: amount, tokens: amount, runs: count }) }),
    ),
  ],
  config: [],
  setSetting: [given('key', text), given('value', anything)],
  blockedAgents: [],
  unblockAgent: [given('agent', text)],
  costs: [
    maybe(
      'options',
      fields<CostsRequest>({
        from: number,
        to: number,
        by: oneOf('day', 'agent', 'workflow', 'task', 'session'),
      }),
    ),
  ],
  snoozed: [],
  snooze: [given('item', text)],
  detect: [],
  init: [maybe('options', fields<{ force?: boolean }>({ force: flag }))],
  cleanable: [cleaning],
  clean: [cleaning],
  accessLog: [],
  openDoor: [given('answer', callback)],
  knock: [given('request', oneOf('url', 'bearer'))],
  disk: [],
};
