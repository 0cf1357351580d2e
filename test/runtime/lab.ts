import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import { loadRuntime } from '../../src/config/runtime/load.ts';
import { runtimeSettings } from '../../src/config/runtime/settings.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { ManifestBody } from '../../src/manifest/definition.ts';
import { SessionManager } from '../../src/orchestrator/state/session-manager.ts';
import { Database } from '../../src/store/database.ts';
import { Backlog } from '../../src/tasks/backlog/backlog.ts';
import type { TaskDraft } from '../../src/tasks/backlog/task.ts';
import { claimMark, guardClaim } from '../../src/tasks/lock/guard-claim.ts';
import { takeLock } from '../../src/tasks/lock/lock.ts';
import type { PreparedTree } from '../../src/tasks/prepare/prepared.ts';
import { Findings } from '../../src/tasks/research/findings.ts';
import type { TaskRuntime, TaskRuntimeEvent } from '../../src/tasks/run-task.ts';
import { LocalScheduler } from '../../src/tasks/scheduler/local.ts';
import type { Claim } from '../../src/tasks/scheduler/scheduler.ts';
import type { TreeChanges } from '../../src/verification/task-tree.ts';

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

/** A backlog with a runtime around a plain folder. */
export class RuntimeLab {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'lw-runtime-')));
  readonly database = Database.open(join(this.dir, '.loopwright', 'loopwright.db'));
  readonly scheduler = new LocalScheduler(this.database, { coolDownMs: 0, lookEveryMs: 0 });
  readonly backlog = new Backlog(this.database);
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
      sessions: this.sessions,
      services: { workers: {}, adapters: new AdapterRegistry() },
      lock: (claim) => takeLock(this.locks, claim.task.id, { mark: claimMark(claim) }),
      guard: (claim, held) => {
        const { rows } = this.database;
        return guardClaim({ rows, locks: this.locks, me: settings.id, now: Date.now }, claim, held);
      },
      prepare: async () => this.prepared(),
      requireAgents: (agents) => Promise.resolve(agents),
      flow: () => flow,
      instructions: () => 'work well',
      research: {
        findings: new Findings(this.database),
        folder: join(this.dir, '.loopwright', 'research'),
        judge: false,
        now: () => 1,
      },
      remember: (task, allowedPaths) => this.backlog.edit(task.id, { allowedPaths }),
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
    this.database.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
