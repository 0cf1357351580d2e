import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Claim } from '../../src/backlog/scheduler.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { RepositoryMode } from '../../src/config/runtime/settings.ts';
import { prepareFor } from '../../src/tasks/prepare/prepare-for.ts';
import type { DeliveryRequest, PreparedTree, PrepareOptions } from '../../src/tasks/prepare/prepared.ts';
import { baselineOf } from '../../src/workers/checks-used.ts';
import { TestRepo } from '../../src/workspace/git/testing.ts';

export const TASK = '01JTASK0000000000000000001';

/** A project in a real repository, and tasks that are claimed from it. */
export class ModeLab extends TestRepo {
  settings: Partial<PrepareOptions['repository']> = {};
  env: { readonly [name: string]: string } = {};

  constructor() {
    super('project ü');
    this.git('config', 'user.name', 'Ada');
    this.git('config', 'user.email', 'ada@example.org');
    this.put('src/a.txt', 'one\n');
    this.put('README.md', 'hello\n');
    this.put('.gitignore', '*.log\n!keep.log\n');
    this.commit('start');
  }

  options(): PrepareOptions {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.base,
      LOOPWRIGHT_SANDBOX: 'off',
      ...this.env,
    };
    const config = loadConfig(this.dir, env);
    return {
      config,
      checks: (_claim, folder) => baselineOf([{ kind: 'test' }], config.commands)(folder),
      repository: { url: '', base: 'main', path: '', workspace: '', api: '', ...this.settings },
      retryMs: [1, 1, 1],
    };
  }

  claim(more: Partial<Omit<Claim, 'task'>> & { task?: Partial<Claim['task']> } = {}): Claim {
    const { task, ...rest } = more;
    return {
      runId: 'run-1',
      sessionId: 'session-1',
      attempt: 1,
      epoch: 1,
      leaseMs: 1000,
      agents: [],
      continues: false,
      ...rest,
      task: {
        id: TASK,
        title: 'Do the thing',
        goal: 'The thing is done.',
        kind: 'code',
        origin: 'person',
        role: 'worker',
        allowedPaths: [],
        deniedPaths: [],
        expectedFiles: [],
        commands: [],
        dependencies: [],
        priority: 100,
        agents: [],
        state: 'running',
        attempts: 1,
        quotaHits: 0,
        createdAt: 0,
        updatedAt: 0,
        ...task,
      },
    };
  }

  prepare(mode: RepositoryMode, claim: Claim = this.claim()): Promise<PreparedTree> {
    return prepareFor(mode, this.options())(claim, new AbortController().signal);
  }

  configure(config: object): void {
    this.put('.loopwright/config.json', JSON.stringify(config));
  }
}

export const REQUEST: DeliveryRequest = {
  title: 'Do the thing',
  goal: 'The thing is done.',
  evidence: 'node check.js: passed',
  cost: '1200 tokens, 0.02 USD',
};

export function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

export function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function remove(root: string, path: string): void {
  rmSync(join(root, path), { recursive: true });
}
