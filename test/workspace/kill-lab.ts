import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdSession } from '../../src/workspace/checkpoints/hold.ts';
import { TreeCheckpoints } from '../../src/workspace/checkpoints/tree-checkpoints.ts';
import { unholdSession } from '../../src/workspace/checkpoints/unhold.ts';
import { accept } from '../../src/workspace/delivery/accept.ts';
import { discard, keep } from '../../src/workspace/delivery/put-away.ts';
import { DeliveryLab } from '../../src/workspace/delivery/testing.ts';

const VICTIM = fileURLToPath(new URL('../../.cache/victims/workspace-victim.mjs', import.meta.url));

export interface Ended {
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Point =
  | { readonly command?: number; readonly when?: 'before' | 'after'; readonly every?: boolean }
  | { readonly pictures: string; readonly of: string };

/** A session in the middle of its work, and the things that can be done to it. */
export class KillLab extends DeliveryLab {
  readonly sessionFolder: string;
  readonly other: string;

  constructor() {
    super();
    this.put('unrelated.txt', 'changed by the user\n');
    this.git('add', 'unrelated.txt');
    this.sessionFolder = join(this.base, 'sessions', 'S1');
    mkdirSync(join(this.sessionFolder, 'logs'), { recursive: true });
    writeFileSync(join(this.sessionFolder, 'journal.1.jsonl'), '{"t":"created"}\n');
    writeFileSync(join(this.sessionFolder, 'logs', '1.log'), 'log\n');
    this.other = join(this.base, 'other');
    this.git('worktree', 'add', '-q', '-b', 'other', this.other);
  }

  checkpoints(): TreeCheckpoints {
    return new TreeCheckpoints(this.worktree, 'S1');
  }

  /** What the agent has done by step 1, and half of what it does then. */
  async prepare(): Promise<void> {
    await this.checkpoints().save(0);
    this.work('a.txt', 'step 1\n');
    this.work('new/c.txt', 'step 1\n');
    unlinkSync(join(this.worktree, 'b.txt'));
    await this.checkpoints().save(1);
    this.work('a.txt', 'half of step 2\n');
    this.work('half.txt', 'half of step 2\n');
  }

  request(operation: string): { readonly operation: string; readonly [name: string]: unknown } {
    const { sessionFolder } = this;
    const target = { ...this.options(), operation };
    if (operation === 'save') return { ...target, step: 2 };
    if (operation === 'restore') return { ...target, step: 1 };
    if (operation === 'hold') return { ...target, sessionFolder };
    if (operation === 'unhold') {
      return {
        operation,
        session: 'S1',
        worktree: this.other,
        sessionFolder: join(this.base, 'unheld', 'S1'),
      };
    }
    if (operation === 'merge') return { ...target, operation: 'accept', mode: 'merge' };
    if (operation === 'elsewhere') return { ...target, operation: 'accept', base: 'side' };
    return target;
  }

  /** The same again, undisturbed, as the next run would do it. */
  async again(name: string): Promise<unknown> {
    const request = this.request(name) as never;
    const { operation, step } = request as { operation: string; step: number };
    if (operation === 'save') return this.checkpoints().save(step);
    if (operation === 'restore') return this.checkpoints().restore(step);
    if (operation === 'hold') return holdSession(request);
    if (operation === 'unhold') return unholdSession(request);
    if (operation === 'accept') return accept(request);
    return operation === 'keep' ? keep(request) : discard(request);
  }

  /** In a process group of its own, so that one can be killed with everything it started. */
  victim(operation: string, point: Point = {}): Promise<Ended> {
    const args = [VICTIM, JSON.stringify(this.request(operation)), JSON.stringify(point)];
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => (stdout += String(data)));
    child.stderr.on('data', (data) => (stderr += String(data)));
    return new Promise((resolve) => child.on('close', (_, signal) => resolve({ signal, stdout, stderr })));
  }

  fsck(): string {
    return this.git('fsck', '--strict', '--no-dangling');
  }

  /** Names and contents of a worktree's files, without git's own. */
  filesIn(folder: string): { [path: string]: string } {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== '.git')
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('/.git/'))
      .sort();
    return Object.fromEntries(
      entries.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
    );
  }

  /** What no operation but accept may change: the checkout, its index, and all that is not ours. */
  users(): unknown {
    const refs = this.git(
      'for-each-ref',
      '--format=%(refname) %(objectname)',
      'refs/heads/main',
      'refs/heads/other',
    );
    return [
      refs,
      this.git('status', '--porcelain=v2', '--branch'),
      this.git('stash', 'list'),
      this.filesIn(this.dir),
    ];
  }
}
