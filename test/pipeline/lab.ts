import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdapterOptions, IAgentAdapter, LaunchConfig } from '../../src/agents/adapter.ts';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import type { StageDefinition } from '../../src/manifest/stages/definition.ts';
import type { EngineEvent } from '../../src/orchestrator/events.ts';
import { Orchestrator } from '../../src/orchestrator/orchestrator.ts';
import type { OrchestratorServices } from '../../src/orchestrator/services.ts';
import { SessionManager } from '../../src/orchestrator/state/session-manager.ts';

/** An agent whose program is the code given as its extra arguments: `['-e', 'console.log(1)']`. */
export class NodeAgent implements IAgentAdapter {
  readonly name: string;
  readonly options: AdapterOptions;
  constructor(options: AdapterOptions) {
    this.name = options.name;
    this.options = options;
  }
  getLaunchConfig(_mode: string, prompt?: string, extraArgs: readonly string[] = []): LaunchConfig {
    const args = prompt === undefined ? extraArgs : [...extraArgs, prompt];
    return { command: process.execPath, args: ['--no-warnings', ...args] };
  }
}

/** A project folder with sessions on disk, and pipelines that run in it. */
export class PipelineLab {
  readonly dir = mkdtempSync(join(tmpdir(), 'lw-pipeline-'));
  readonly sessions = SessionManager.onDisk(join(this.dir, '.loopwright', 'sessions'));
  readonly adapters = new AdapterRegistry();
  readonly events: EngineEvent[] = [];

  constructor() {
    this.adapters.register('node', NodeAgent);
  }

  services(more: Partial<OrchestratorServices> = {}): OrchestratorServices & { sessions: SessionManager } {
    return {
      workers: {},
      sessions: this.sessions,
      worktreePath: this.dir,
      adapters: this.adapters,
      ...more,
    };
  }

  orchestrator(document: object, more: Partial<OrchestratorServices> = {}): Orchestrator {
    const orchestrator = new Orchestrator(document as never, this.services(more));
    orchestrator.events.subscribe((event) => this.events.push(event));
    return orchestrator;
  }

  /** Every status a task had, in order. */
  statuses(task: string): string[] {
    return this.events.flatMap((event) =>
      event.type === 'task.status' && event.task === task ? [event.status] : [],
    );
  }

  output(task: string): string {
    return this.events
      .flatMap((event) => (event.type === 'task.output' && event.task === task ? [event.clean] : []))
      .join('');
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Resolves with the first event that fits. */
export function firstEvent<T extends EngineEvent['type']>(
  orchestrator: Orchestrator,
  type: T,
  fits: (event: Extract<EngineEvent, { type: T }>) => boolean = () => true,
): Promise<Extract<EngineEvent, { type: T }>> {
  return new Promise((resolve) => {
    const stop = orchestrator.events.subscribe((event) => {
      if (event.type !== type || !fits(event as never)) return;
      stop();
      resolve(event as never);
    });
  });
}

/** One stage of headless tasks, each with its code. */
export function stage(tasks: Record<string, string>, more: object = {}): StageDefinition {
  return {
    tasks: Object.entries(tasks).map(([id, code]) => ({
      id,
      adapter: 'node',
      executionMode: 'headless',
      prompt: `prompt of ${id}`,
      extraArgs: ['-e', code],
    })),
    ...more,
  };
}
