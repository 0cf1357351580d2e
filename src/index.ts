/** The public face of the package. The library prints nothing: watch the events. */
export type {
  AdapterOptions,
  AdapterSignal,
  AgentConversation,
  AgentSettings,
  AgentStream,
  ExecutionMode,
  IAgentAdapter,
  LaunchConfig,
  Permissions,
  ScreenPatterns,
} from './agents/adapter.ts';
export type { AgentError, AgentEvent, AgentQuestion, AgentUsage } from './agents/event.ts';
export { strip } from './agents/output/clean.ts';
export type { AdapterClass, AdapterMetadata } from './agents/registry/adapter-class.ts';
export { projectRegistry } from './agents/registry/project.ts';
export { AdapterRegistry } from './agents/registry/registry.ts';
export { HeadlessRunner } from './agents/runner/headless.ts';
export { AgentRunner } from './agents/runner/pty.ts';
export type { Interaction, Runner, RunnerEnd, RunnerEvent, RunnerOptions } from './agents/runner/runner.ts';
export { type DocumentName, documents } from './api/documents.ts';
export { eventShape } from './api/events.ts';
export { foldEvent, type LiveSession, NOT_STARTED } from './api/live.ts';
export { API_VERSION } from './api/version.ts';
export { ACTION_IDS, type Action, type ActionId, type ActionInput, type Need } from './kernel/action.ts';
export {
  ConflictError,
  CorruptSessionError,
  DeniedError,
  LoopwrightError,
  NotFoundError,
  OwnershipLostError,
  PROBLEM_KINDS,
  type ProblemKind,
  SessionBusyError,
  StorageError,
  UsageError,
} from './kernel/errors.ts';
export type { EventStream } from './kernel/events.ts';
export type { JsonObject, JsonValue } from './kernel/json.ts';
export { createMasker, type Masker } from './kernel/mask.ts';
export { type Compiled, type CompileOptions, compileManifest } from './manifest/compile.ts';
export { type BlockOf, defineWorkflow, type NodeOf, type SignalOf } from './manifest/define-workflow.ts';
export type {
  BlockDefinition,
  Budget,
  ConfigNumber,
  Limits,
  LimitsDefinition,
  ManifestBody,
  NodeDefinition,
  NodeDictionary,
  RosterDefinition,
  RosterEntry,
  Transition,
  WorkflowManifest,
} from './manifest/definition.ts';
export type {
  FileSystemWriterInput,
  FileSystemWriterOutput,
  RunBuilderInput,
  RunBuilderOutput,
  RunLinterInput,
  RunLinterOutput,
  TestRunnerInput,
  TestRunnerOutput,
  UpdateChangePlanInput,
  UpdateChangePlanOutput,
} from './manifest/internal-contracts.ts';
export { ManifestInvalidError, ManifestNotFoundError, ManifestSyntaxError } from './manifest/load-error.ts';
export type { Problem } from './manifest/problem.ts';
export type { ProgressNote } from './manifest/progress-note.ts';
export type { ResolvedManifest } from './manifest/resolved.ts';
export type { ContextSegment, ExecutionPayload, FileOutput, TestResultSegment } from './manifest/segment.ts';
export type { StageDefinition, StageWorkflow, WorkflowTask } from './manifest/stages/definition.ts';
export type { LiveTask, TaskEvent, TaskExit, TaskStatus } from './manifest/task.ts';
export type {
  ArtifactFile,
  Contract,
  Question,
  SystemMetadata,
  Usage,
  Worker,
  WorkerContext,
  WorkerFunction,
  WorkerRegistry,
  WorkerResult,
  WorkerRun,
} from './manifest/worker.ts';
export { FAIL_DEFAULT, FAILURE, LIMIT_REACHED, SUCCESS, VALIDATION_FAIL } from './manifest/worker.ts';
export * from './orchestrator/index.ts';
export { openProject, type Project } from './project/project.ts';
export type { ContinueRequest } from './project/runs/continue.ts';
export type { RunCompany, RunningSession, SessionResult } from './project/runs/handle.ts';
export type { RunRequest } from './project/runs/start.ts';
export type { Researching, ResearchRequest } from './project/runtime/research.ts';
export type { WorkEvent, Working, WorkRequest } from './project/runtime/work.ts';
export type { NeedsYou } from './project/sessions/needs-you.ts';
export type { SessionView } from './project/sessions/view.ts';
export { fail, type NewSegment, pass, segment } from './workers/answer.ts';
export { openRepository, type Repository } from './workspace/git/repository.ts';
export type { CreatedWorktree, CreateWorktree } from './workspace/worktrees/create.ts';
export type { Finding } from './workspace/worktrees/finding.ts';
export type { GcItem, GcOptions, WorktreeView } from './workspace/worktrees/gc.ts';
export type { WorktreeStep } from './workspace/worktrees/home.ts';
export type { WorktreeHealth } from './workspace/worktrees/inspect.ts';
export { GitWorktreeManager, type WorktreeManagerOptions } from './workspace/worktrees/manager.ts';
export type { KnownSession } from './workspace/worktrees/owners.ts';
export type { RemovedWorktree, RemoveWorktree } from './workspace/worktrees/remove.ts';
