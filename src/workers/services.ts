import type { OwnPrices } from '../agents/pricing/price.ts';
import { AdapterRegistry } from '../agents/registry/registry.ts';
import type { OwnPrograms } from '../agents/resolve/agent-status.ts';
import type { WebUse } from '../agents/web-use.ts';
import type { Clock } from '../kernel/clock.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Masker } from '../kernel/mask.ts';
import type { ProcessIdentity } from '../kernel/process-identity.ts';
import type { ModelServices } from '../models/ask-model.ts';
import type { Environment } from '../process/child-env.ts';
import type { Grants } from '../process/environment.ts';
import type { RunProcess } from '../process/request.ts';
import type { SandboxPort } from '../process/sandbox/project-sandbox.ts';
import type { BeforeWork } from '../verification/before-work.ts';
import type { ConfiguredCommands } from '../verification/commands/project-commands.ts';
import type { TreesPort } from '../verification/proof/evidence.ts';
import type { TestRun } from '../verification/proof/run-tests.ts';
import type { VerificationReport } from '../verification/report.ts';
import type { TaskTree } from '../verification/task-tree.ts';
import type { ConfiguredReport } from '../verification/tests/ask-report.ts';
import type { WriteFile } from '../workspace/tree-writer.ts';

/** What the internal workers need from outside. */
export interface WorkerServices {
  /** All of it, of which each child gets what its kind needs. */
  readonly baseEnv: Environment;
  /** Variables that children get beyond that. */
  readonly environment?: Grants;
  /** What keeps children from the rest of the machine. Absent: nothing does. */
  readonly sandbox?: SandboxPort;
  readonly masker: Masker;
  readonly timeoutMs?: number;
  /** How the project is checked, as a person configured it. */
  readonly commands?: ConfiguredCommands;
  /** Bound to the running session. */
  readonly changePlan?: ChangePlan;
  readonly treeWriter?: WriteFile;
  /** The files of the session: what it has changed so far, where somebody knows. */
  readonly tree?: { changes?(): Promise<readonly string[] | undefined> };
  readonly processes?: RunProcess;
  /** The agents that can be run; the built-in ones when absent. */
  readonly adapters?: AdapterRegistry;
  /** Agents whose program may be one of the repository's own; absent: any may. */
  readonly ownPrograms?: OwnPrograms & { readonly repository: string };
  /** What the project says models cost. */
  readonly prices?: OwnPrices;
  /** Who serves models, and what is known of the keys; absent: no model can be called. */
  readonly models?: Pick<ModelServices, 'find' | 'keys' | 'login' | 'names'>;
  readonly clock?: Clock;
  /** Of the task that the session works for. */
  readonly taskTree?: TaskTree;
  /** Where the project keeps its own lists and its verification contract; in direct mode the tree itself. */
  readonly projectDir?: string;
  readonly delivery?: DeliveryPort;
  /** Absent where there is no base to compare with: outside of git, and in the user's own folder. */
  readonly inspection?: InspectionPort;
  /** Of the research task that the session works for. */
  readonly findings?: KeepFindings;
}

/** Lets the checks themselves be looked at: the files before and after the work, and folders to try them in. */
export interface InspectionPort {
  /** The commit or tree that the work began from; undefined: there is nothing to compare with. */
  base(): Promise<string | undefined>;
  /** The tree that would be delivered now. */
  delivered(): Promise<string>;
  /** What no change shows, as it was before an agent came; undefined: nobody looked. */
  before(): Promise<BeforeWork | undefined>;
  /** The project's folder below the top of the repository. */
  readonly prefix: string;
  /** When the tests of the base are run on the new code, unless a block says otherwise. */
  readonly oldTests: 'changed' | 'always' | 'off';
  /** Paths that a person allowed while the work was under way, each by its own name, as the project names them. */
  opened(): readonly string[];
  /** When the checks also run on a fresh checkout of the delivered files. */
  readonly fresh: 'needed' | 'always' | 'off';
  /** The top of the folder that the work is done in. */
  readonly folder: string;
  /** What is in that folder, is not in the tree and is not as it was before the work; undefined: nobody can tell. */
  undelivered(tree: string): Promise<readonly string[] | undefined>;
  /** What became of a command on a tree: it is not run there again. */
  readonly remembered: Map<string, TestRun>;
  /** Reports that commands of the project write about their tests. */
  readonly reports: readonly ConfiguredReport[];
  /** What is found is told, and nobody has to look. */
  readonly onlyTold: boolean;
  readonly trees: TreesPort;
  /** A folder of its own for the action, which puts one tree after the other into it and gets the project's folder. */
  withFolder<T>(
    action: (
      put: (tree: string) => Promise<string>,
      /** Notes a process that works there, so that whoever finds the folder after a kill can end it. */
      started: (process: ProcessIdentity) => void,
    ) => Promise<T>,
    cancel: AbortSignal,
  ): Promise<T>;
}

/** Keeps what a research answer found, or says why it cannot be used. */
export interface KeepFindings {
  keep(
    said: string,
    web: WebUse,
  ): Promise<
    | KeptFindings
    | { readonly problem: string }
    /** It found nothing, and why as far as it says so; `needed`: without a finding nothing can follow; `proven`: what it is about holds all the same. */
    | {
        readonly nothing: string;
        readonly needed: boolean;
        readonly proven: boolean;
        readonly short?: string;
      }
  >;
}

export interface KeptFindings extends Delivered {
  /** What the findings rest on, and what they miss. */
  readonly proof: string;
  /** `verified`: every claim it is about has what its profile asks for. `planned`: there is nothing to prove yet. */
  readonly outcome: 'verified' | 'unverified' | 'planned';
  /** What of the answer could not be used. */
  readonly dropped: readonly string[];
  /** What its claim still misses, where whoever answered could look for it. */
  readonly short?: string;
}

export interface ChangePlan {
  addToChangePlan(files: readonly string[]): Promise<void>;
}

/** Hands over the work of a task: commit and push, a pull request, a local diff, or a note of what was edited. */
export interface DeliveryPort {
  deliver(work: {
    readonly evidence: VerificationReport;
    /** What was found out about the checks themselves; absent when nobody looked. */
    readonly inspected?: unknown;
  }): Promise<Delivered | DeliveryLater>;
}

/** Nothing is wrong with the work: it can be handed over at another time. */
export interface DeliveryLater {
  readonly later: { readonly until: number; readonly reason: string };
  /** How often to try again altogether; absent: as often as it takes. */
  readonly tries?: number;
}

export interface Delivered {
  readonly artifacts: readonly (JsonObject & { readonly type: string })[];
  /** Somebody has to look at it before the task is done. */
  readonly review: boolean;
}

let builtIn: AdapterRegistry | undefined;

/** The caller's agents, or those that come with the program. */
export function adaptersOf(services: { readonly adapters?: AdapterRegistry }): AdapterRegistry {
  if (services.adapters) return services.adapters;
  builtIn ??= new AdapterRegistry();
  return builtIn;
}
