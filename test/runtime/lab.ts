import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import type { Claim, Scheduler } from '../../src/backlog/scheduler.ts';
import type { TaskDraft } from '../../src/backlog/task.ts';
import { loadRuntime } from '../../src/config/runtime/load.ts';
import { runtimeSettings } from '../../src/config/runtime/settings.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { ManifestBody } from '../../src/manifest/definition.ts';
import { SessionManager } from '../../src/orchestrator/state/session-manager.ts';
import { openStore } from '../../src/store/open.ts';
import { claimMark, guardClaim } from '../../src/tasks/lock/guard-claim.ts';
import { takeLock } from '../../src/tasks/lock/lock.ts';
import type { PreparedTree } from '../../src/tasks/prepare/prepared.ts';
import type { TaskRuntime, TaskRuntimeEvent } from '../../src/tasks/run-task.ts';
import type { TreeChanges } from '../../src/verification/task-tree.ts';
import { rowsOf } from '../tasks/rows.ts';

/** A flow of one block that runs a program. */
export function programFlow(code: string, more: object = {}): ManifestBody {
  const block = {
    worker: 'Internal:Command',
    with: { argv: [process.execPath, '-e', code] },
    transitions: [
      { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
      { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
    ],
  };
  return { nodes: { Main: { entry_block: 'Run', blocks: { Run: block } } }, ...more };
}

/** The same scheduler, but for some of its answers. */
export function overruled(scheduler: Scheduler, by: Partial<Scheduler>): Scheduler {
  return new Proxy(scheduler, {
    get(target, key) {
      const own = Reflect.get(key in by ? by : target, key) as unknown;
      return typeof own === 'function' ? own.bind(key in by ? by : target) : own;
    },
  });
}

/** A backlog with a runtime around a plain folder. */
export class RuntimeLab {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'lw-runtime-')));
  readonly store = openStore(join(this.dir, '.loopwright'), { lookEveryMs: 0 });
  readonly scheduler = this.store.scheduler;
  readonly backlog = this.store.backlog;
  readonly sessions = SessionManager.onDisk(join(this.dir, '.loopwright', 'sessions'));
  readonly locks = join(this.dir, 'locks');
  readonly events: TaskRuntimeEvent[] = [];
  closed = 0;

  runtime(
    flow: ManifestBody,
    more: Partial<TaskRuntime> = {},
    env: Record<string, string> = {},
  ): TaskRuntime {
    const config = loadRuntime(
      {},
      { REPO_MODE: 'direct', LLM_EXECUTOR: 'scripted', AGENT_ID: 'lab', ...env },
    );
    const settings = runtimeSettings(config, { now: 1 });
    return {
      settings,
      config,
      projectDir: this.dir,
      scheduler: this.scheduler,
      runtimes: this.store.runtimes,
      sessions: this.sessions,
      services: { workers: {}, adapters: new AdapterRegistry() },
      lock: (claim) => takeLock(this.locks, claim.task.id, { mark: claimMark(claim) }),
      guard: (claim, held) => {
        const { scheduler, locks } = this;
        return guardClaim({ scheduler, locks, me: settings.id }, claim, held);
      },
      prepare: async () => this.prepared(),
      requireAgents: (agents) => Promise.resolve(agents),
      flow: () => flow,
      instructions: () => 'work well',
      research: {
        findings: this.store.findings,
        folder: join(this.dir, '.loopwright', 'research'),
        judge: false,
      },
      earlierFailures: (task) => this.backlog.earlierFailures(task.id),
      remember: (task, allowedPaths) => this.backlog.edit(task.id, { allowedPaths }),
      tidy: () => Promise.resolve(),
      tell: (event) => void this.events.push(event),
      ...more,
    };
  }

  prepared(changes: TreeChanges = { changed: [], added: [], removed: [] }): PreparedTree {
    const none = new Set<string>();
    return {
      path: this.dir,
      payload: [],
      taskTree: {
        root: this.dir,
        mode: 'direct',
        changes: () => Promise.resolve(changes),
        identity: () => Promise.resolve(''),
        differing: () => Promise.resolve([]),
        ignored: () => Promise.resolve(none),
        tracked: () => Promise.resolve(none),
        discard: () => Promise.resolve({ discarded: [], kept: [] }),
      },
      deliver: () => Promise.resolve({ artifacts: [], review: false, summary: '' }),
      close: () => {
        this.closed++;
        return Promise.resolve();
      },
    };
  }

  /** Rows, behind the back of the store. */
  rows<Row>(statement: string): Row[] {
    return rowsOf<Row>(join(this.dir, '.loopwright'), statement);
  }

  async add(draft: Partial<TaskDraft> = {}): Promise<string> {
    const { added } = await this.backlog.add([{ title: 'a task', ...draft }]);
    return added[0] ?? '';
  }

  async claim(leaseMs = 60_000): Promise<Claim> {
    const claim = await this.scheduler.claim({
      agentId: 'lab',
      role: 'worker',
      agents: ['scripted'],
      mode: 'direct',
      leaseMs,
    });
    if (!claim) throw new Error('nothing to claim');
    return claim;
  }

  steps(): string[] {
    return this.events.flatMap((event) => (event.type === 'task.step' ? [event.step] : []));
  }

  async outcome(id: string): Promise<JsonObject | undefined> {
    return (await this.backlog.history(id)).runs.at(-1)?.outcome;
  }

  close(): void {
    this.store.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
