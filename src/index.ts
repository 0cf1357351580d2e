/** The public face of the package. The library prints nothing: watch `Orchestrator.events`. */
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
export {
  CorruptSessionError,
  LoopwrightError,
  OwnershipLostError,
  SessionBusyError,
  StorageError,
  UsageError,
} from './kernel/errors.ts';
export type { EventStream } from './kernel/events.ts';
export type { JsonObject, JsonValue } from './kernel/json.ts';
export { type Compiled, type CompileOptions, compileManifest } from './manifest/compile.ts';
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
export * from './orchestrator/index.ts';
export { openRepository, type Repository } from './workspace/git/repository.ts';
export type { CreatedWorktree, CreateWorktree } from './workspace/worktrees/create.ts';
export type { Finding } from './workspace/worktrees/finding.ts';
export type { GcItem, GcOptions, WorktreeView } from './workspace/worktrees/gc.ts';
export type { WorktreeStep } from './workspace/worktrees/home.ts';
export type { WorktreeHealth } from './workspace/worktrees/inspect.ts';
export { GitWorktreeManager, type WorktreeManagerOptions } from './workspace/worktrees/manager.ts';
export type { RemovedWorktree, RemoveWorktree } from './workspace/worktrees/remove.ts';
export type { KnownSession } from './workspace/worktrees/sessions.ts';
