import type { looks, useCases } from '../use-cases.ts';

type UseCases = typeof looks & typeof useCases;

/**
 * Which use cases start programs of the project or do what its files say, and so need the trust of a person. Every use
 * case is listed, so that a new one cannot be forgotten; one whose arguments decide is a function of them.
 */
const NEEDS: { readonly [Name in keyof UseCases]: boolean | ((...rest: readonly unknown[]) => boolean) } = {
  sessions: false,
  running: false,
  session: false,
  findSession: false,
  candidates: false,

  run: true,
  pipeline: true,
  resume: true,
  retry: true,
  step: true,
  startDetached: true,
  // Whoever changed what steers a project must still be able to stop what runs in it.
  abort: false,

  needsYou: false,
  follow: false,
  evidence: false,
  callsOf: false,
  callDetail: false,
  recentCalls: false,
  rerunCall: true,
  runExperiment: true,
  experiments: false,
  experiment: false,
  stopExperiment: false,
  removeExperiment: false,
  stepView: false,
  stepContext: false,
  nextContext: false,
  logFiles: false,
  logs: false,
  isTaskId: false,
  watch: false,
  interrupt: false,
  answer: false,
  endStageTask: false,
  stageTasks: false,
  typeInto: false,
  reachOwner: false,

  diff: false,
  diffFile: false,
  timeline: false,
  // Setup runs in the new worktree.
  fork: true,
  rewind: true,
  hold: false,
  unhold: true,
  delivery: false,
  accept: true,
  // The checkout follows, and its hooks run.
  undo: true,
  keep: true,
  discardable: false,
  // Teardown runs in the worktree that goes.
  discard: true,
  conflicts: false,
  planPreview: false,
  plans: false,
  extendPlan: false,
  plan: false,
  worktrees: false,
  gc: (options) => !isSet(options, 'dryRun'),

  review: false,
  saveReview: false,
  reviewGuidance: false,
  reviewSent: false,

  tasks: false,
  board: false,
  story: false,
  addTask: false,
  editTask: false,
  cancelTask: false,
  requeueTask: false,
  removeTask: false,
  // The forge that is asked is the one that the project names.
  importTasks: (source) => isSet(source, 'issues'),
  approveTask: true,
  reworkTask: false,
  restorableFiles: false,
  restore: true,
  work: true,
  runtimes: false,
  stopRuntime: false,
  research: true,

  researchJobs: false,
  researchJob: false,

  workflows: false,
  workflowText: false,
  simulateScenario: false,
  validate: false,
  graph: false,
  // Every block answers from the scenario; nothing is started.
  simulate: false,

  // Both start nothing that the project brings along while it is not trusted.
  agents: false,
  agentChoices: false,
  chooseAgent: false,
  doctor: false,
  budget: false,
  config: false,
  // The file is the person's own, and what was trusted before stays so.
  setSetting: false,
  blockedAgents: false,
  unblockAgent: false,
  costs: false,
  snoozed: false,
  snooze: false,
  detect: false,
  init: false,
  cleanable: false,
  clean: true,
  accessLog: false,
  openDoor: false,
  knock: false,
  disk: false,

  trust: false,
  trusted: false,
  untrust: false,
};

export function needsTrust(name: string, rest: readonly unknown[]): boolean {
  const needs = NEEDS[name as keyof typeof NEEDS];
  return typeof needs === 'function' ? needs(...rest) : needs;
}

function isSet(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const held = (value as { readonly [name: string]: unknown })[name];
  return held !== undefined && held !== false;
}
