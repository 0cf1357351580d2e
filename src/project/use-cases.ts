/**
 * Looking at sessions needs neither configuration nor agents, so their code, which is large, is not loaded for it.
 * These take the sessions of the project first.
 */
export const looks = {
  /** The sessions of the project, newest first. */
  sessions: async () => (await import('./sessions/summaries.ts')).sessions,
  /** What runs now, and what died while it ran. */
  running: async () => (await import('./sessions/summaries.ts')).running,
  /** Where a session stands, the way it took, and what can be done next. */
  session: async () => (await import('./sessions/view.ts')).session,
  /** The id of the one session that a word names. */
  findSession: async () => (await import('./sessions/view.ts')).find,
  /** The sessions or tasks that somebody may mean who named none. */
  candidates: async () => (await import('./sessions/candidates.ts')).candidates,
  /** What would be run and obeyed, and whether a person trusts it. */
  trusted: async () => (await import('./trust/trust.ts')).trusted,
  /** Writes down that a person trusts the project as it is now. */
  trust: async () => (await import('./trust/trust.ts')).trust,
  /** Forgets that the project was trusted. */
  untrust: async () => (await import('./trust/trust.ts')).untrust,
} as const;

/**
 * Everything else one can do with a project: one function per use case, loaded when it is first called. Each takes the
 * opened project first; `openProject` binds it.
 */
export const useCases = {
  /** Starts a workflow towards a goal in a new session. */
  run: async () => (await import('./runs/start.ts')).run,
  /** Starts the stages of a file, the tasks of each side by side. */
  pipeline: async () => (await import('./runs/start.ts')).pipeline,
  /** Goes on after a halt, a park or the death of the process. */
  resume: async () => (await import('./runs/continue.ts')).resume,
  /** Runs the block that halted or failed once more. */
  retry: async () => (await import('./runs/continue.ts')).retry,
  /** Runs exactly one block, then halts again. */
  step: async () => (await import('./runs/continue.ts')).step,
  /** Starts a process of its own that outlives this one. */
  startDetached: async () => (await import('./detached/start.ts')).startDetached,
  /** Ends a session for good, whoever runs it. */
  abort: async () => (await import('./sessions/abort.ts')).abort,

  /** Everything that waits for a person, the longest first. */
  needsYou: async () => (await import('./sessions/needs-you.ts')).needsYou,
  /** Tells what happens to sessions and tasks, whoever does it. */
  follow: async () => (await import('./follow/follow.ts')).follow,
  /** What proves the work of a session, and what completing it still needs. */
  evidence: async () => (await import('./sessions/evidence.ts')).evidence,
  /** Every run of an agent in a session, newest first. */
  callsOf: async () => (await import('./calls/calls.ts')).callsOf,
  /** One run of an agent with what went in and what came out. */
  callDetail: async () => (await import('./calls/calls.ts')).callDetail,
  /** The runs of agents in the newest sessions, newest first. */
  recentCalls: async () => (await import('./calls/calls.ts')).recentCalls,
  /** Makes an experiment of a call: the same once more with other words, beside the session. */
  rerunCall: async () => (await import('./calls/rerun.ts')).rerunCall,
  /** Runs an experiment in this process, to its end. */
  runExperiment: async () => (await import('./calls/run-experiment.ts')).runExperiment,
  /** The experiments with the calls of a session, newest first. */
  experiments: async () => (await import('./calls/experiments.ts')).experiments,
  /** One experiment with all that it said and changed. */
  experiment: async () => (await import('./calls/experiments.ts')).experiment,
  /** Ends an experiment that runs in another process. */
  stopExperiment: async () => (await import('./calls/experiments.ts')).stopExperiment,
  /** Deletes an experiment with its log. */
  removeExperiment: async () => (await import('./calls/experiments.ts')).removeExperiment,
  /** What one step was given and what it answered. */
  stepView: async () => (await import('./sessions/step-view.ts')).stepView,
  /** All five layers that a step was given, and the prompts that were sent in it. */
  stepContext: async () => (await import('./sessions/step-view.ts')).stepContext,
  /** What the block that comes next would be given. */
  nextContext: async () => (await import('./sessions/step-view.ts')).nextContext,
  /** The files with the output of the processes of a session. */
  logFiles: async () => (await import('./sessions/logs/log-files.ts')).logFiles,
  /** What the processes of a session printed, and print from now on. */
  logs: async () => (await import('./sessions/logs/logs.ts')).logs,
  /** Whether a word names a task of the backlog and no session. */
  isTaskId: async () => (await import('./sessions/find-any.ts')).isTaskId,
  /** Follows a session that another process runs, as it happens. */
  watch: async () => (await import('./sessions/watch.ts')).watch,
  /** Ends the running block of a session that another process runs; it halts. */
  interrupt: async () => (await import('./sessions/watch.ts')).interrupt,
  /** Answers what an agent of a running session asks. */
  answer: async () => (await import('./sessions/reach.ts')).answer,
  /** Ends a running stage task, as done or as not done. */
  endStageTask: async () => (await import('./sessions/reach.ts')).endStageTask,
  /** The stage tasks of a session, and which of them can be reached. */
  stageTasks: async () => (await import('./sessions/stage-tasks.ts')).stageTasks,
  /** Types into the terminal of a stage task. */
  typeInto: async () => (await import('./sessions/stage-tasks.ts')).typeInto,
  /** A line to the process that runs a session. */
  reachOwner: async () => (await import('./sessions/reach.ts')).reachOwner,

  /** What a session changed: all of it, in one step, or between two. */
  diff: async () => (await import('./files/diff.ts')).diff,
  /** One file of what a session changed, whole on both sides. */
  diffFile: async () => (await import('./files/diff.ts')).diffFile,
  /** Every step of a session, and which of them changed files. */
  timeline: async () => (await import('./files/timeline.ts')).timeline,
  /** A new session that begins where another one was after a step. */
  fork: async () => (await import('./files/fork.ts')).fork,
  /** Takes a session and its files back to the end of a step. */
  rewind: async () => (await import('./files/rewind.ts')).rewind,
  /** Puts a session aside as one ref, which can be pushed. */
  hold: async () => (await import('./files/hold.ts')).hold,
  /** Makes a held session, fetched from another clone, a session here. */
  unhold: async () => (await import('./files/hold.ts')).unhold,
  /** What became of the files of a session, and what stands against accepting them. */
  delivery: async () => (await import('./files/delivery-view.ts')).delivery,
  /** Brings the work of a session, or of a task, into its base branch. */
  accept: async () => (await import('./files/accept.ts')).accept,
  /** Takes what was accepted out of its base branch again, as a new commit. */
  undo: async () => (await import('./files/undo.ts')).undo,
  /** Leaves the work of a session on its own branch, committed. */
  keep: async () => (await import('./files/keep.ts')).keep,
  /** What discarding a session would delete. */
  discardable: async () => (await import('./files/discard.ts')).discardable,
  /** Deletes the worktree, branch and checkpoints of a session. */
  discard: async () => (await import('./files/discard.ts')).discard,
  /** Who means to change which files, and which of them clash. */
  conflicts: async () => (await import('./files/conflicts.ts')).conflicts,
  /** Which clashes a plan would have now; nobody enters the line by asking. */
  planPreview: async () => (await import('./files/plan-preview.ts')).planPreview,
  /** Everybody in line with their plans. */
  plans: async () => (await import('./files/plan-preview.ts')).plans,
  /** Adds paths to the plan of a session. */
  extendPlan: async () => (await import('./files/plan-preview.ts')).extendPlan,
  /** What a session means to change. */
  plan: async () => (await import('./files/conflicts.ts')).plan,
  /** The worktrees of sessions and tasks. */
  worktrees: async () => (await import('./files/worktrees.ts')).worktrees,
  /** Removes the worktrees that nobody needs. */
  gc: async () => (await import('./files/worktrees.ts')).gc,

  /** The comments on what a session changed, each where its lines are now. */
  review: async () => (await import('./reviews/review.ts')).readReview,
  /** Keeps the comments of a person as drafts. */
  saveReview: async () => (await import('./reviews/review.ts')).saveReview,
  /** What a review says, for the next worker. */
  reviewGuidance: async () => (await import('./reviews/send.ts')).reviewGuidance,
  /** The review has reached its worker. */
  reviewSent: async () => (await import('./reviews/send.ts')).reviewSent,

  /** Tasks in the order of the line. */
  tasks: async () => (await import('./backlog/tasks.ts')).tasks,
  /** The whole backlog by state. */
  board: async () => (await import('./backlog/tasks.ts')).board,
  /** Everything that is known about a task. */
  story: async () => (await import('./backlog/tasks.ts')).story,
  addTask: async () => (await import('./backlog/tasks.ts')).addTask,
  editTask: async () => (await import('./backlog/tasks.ts')).editTask,
  /** Takes a task out of the line; one that runs is stopped. */
  cancelTask: async () => (await import('./backlog/tasks.ts')).cancelTask,
  /** Puts a failed, blocked or cancelled task back in line. */
  requeueTask: async () => (await import('./backlog/tasks.ts')).requeueTask,
  /** Deletes a task with its runs and events. */
  removeTask: async () => (await import('./backlog/tasks.ts')).removeTask,
  /** Adds the tasks of a file or the open issues of the repository. */
  importTasks: async () => (await import('./backlog/import-tasks.ts')).importTasks,
  /** Accepts what a task delivered: it is done. */
  approveTask: async () => (await import('./backlog/judge.ts')).approveTask,
  /** Asks for another attempt, with notes. */
  reworkTask: async () => (await import('./backlog/judge.ts')).reworkTask,
  /** What could be put back of what a task in direct mode changed. */
  restorableFiles: async () => (await import('./backlog/restore.ts')).restorableFiles,
  /** Puts back what a task in direct mode changed. */
  restore: async () => (await import('./backlog/restore.ts')).restore,
  /** Works the backlog off: claims tasks, runs, verifies and delivers them. */
  work: async () => (await import('./runtime/work.ts')).work,
  /** Who works on the backlog, on what, and whether it lives. */
  runtimes: async () => (await import('./runtime/list-runtimes.ts')).runtimes,
  /** Asks a runtime to park what it does and to end. */
  stopRuntime: async () => (await import('./runtime/stop-runtime.ts')).stopRuntime,
  /** Answers a question with sources. */
  research: async () => (await import('./runtime/research.ts')).research,

  /** The research jobs of the project, the newest first. */
  researchJobs: async () => (await import('./runtime/research-view.ts')).researchJobs,
  /** Everything that a research job has found so far. */
  researchJob: async () => (await import('./runtime/research-view.ts')).researchJob,

  /** Every workflow that can be named. */
  workflows: async () => (await import('./workflows/gallery.ts')).workflows,
  /** A workflow as its file has it. */
  workflowText: async () => (await import('./workflows/gallery.ts')).workflowText,
  /** Runs a workflow with the answers of one of its scenarios. */
  simulateScenario: async () => (await import('./workflows/gallery.ts')).simulateScenario,
  /** All problems of a workflow at once. */
  validate: async () => (await import('./workflows/validate.ts')).validate,
  /** The graph of a workflow, as data and drawn. */
  graph: async () => (await import('./workflows/validate.ts')).graph,
  /** Runs a workflow with the scripted answers of a scenario. */
  simulate: async () => (await import('./simulate/simulate.ts')).simulate,

  /** The agents to choose from for the backlog, where nobody has chosen. */
  agentChoices: async () => (await import('./runtime/choose-agent.ts')).agentChoices,
  /** Writes down which agent does the work. */
  chooseAgent: async () => (await import('./runtime/choose-agent.ts')).chooseAgent,
  /** The agents of this machine. */
  agents: async () => (await import('./upkeep/agents.ts')).agents,
  /** Checks what this project needs. */
  doctor: async () => (await import('./upkeep/agents.ts')).doctor,
  /** What all sessions used today and in all; lets today use more. */
  budget: async () => (await import('./upkeep/budget.ts')).budget,
  /** Every setting, its value and where it comes from. */
  config: async () => (await import('./upkeep/settings.ts')).config,
  /** Writes one setting of the project's own file. */
  setSetting: async () => (await import('./upkeep/set-setting.ts')).setSetting,
  /** The agents that are out of quota. */
  blockedAgents: async () => (await import('./upkeep/blocked-agents.ts')).blockedAgents,
  /** Lets an agent be used again before its time. */
  unblockAgent: async () => (await import('./upkeep/blocked-agents.ts')).unblockAgent,
  /** What was used, by day, agent, workflow, task or session. */
  costs: async () => (await import('./upkeep/costs.ts')).costs,
  /** What a person put off for a while. */
  snoozed: async () => (await import('./server/snoozes.ts')).snoozed,
  /** Puts one of the things that wait for a person off for an hour. */
  snooze: async () => (await import('./server/snoozes.ts')).snooze,
  /** How the project is checked, as far as its files tell. */
  detect: async () => (await import('./upkeep/init.ts')).detect,
  /** Writes the configuration of the project. */
  init: async () => (await import('./upkeep/init.ts')).init,
  /** What cleaning would delete. */
  cleanable: async () => (await import('./upkeep/clean.ts')).cleanable,
  /** Deletes sessions that have ended. */
  clean: async () => (await import('./upkeep/clean.ts')).clean,
  /** Notes who called a server of this project. */
  accessLog: async () => (await import('./server/access-log.ts')).accessLog,
  /** Lets the same user ask a running server for a key to it. */
  openDoor: async () => (await import('./server/door.ts')).openDoor,
  /** Asks the running server of this project for a key. */
  knock: async () => (await import('./server/door.ts')).knock,
  /** What is kept on the disk, and how much of it. */
  disk: async () => (await import('./upkeep/disk.ts')).diskOf,
} as const;
