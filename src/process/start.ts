import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { childEnvironment } from './child-env.ts';
import { ControlGroup, type Kin } from './control-group.ts';
import { openMergedOutput } from './merged-output.ts';
import type { ProcessEnd } from './outcome.ts';
import type { ProcessRequest } from './request.ts';
import type { Enclosed } from './sandbox/walls.ts';

export interface StartedChild {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Standard output, or both streams when merged. */
  readonly output: Readable;
  readonly errors: Readable | undefined;
  readonly exit: Promise<ProcessEnd>;
  /** With all that it has started; undefined where nothing keeps them together. */
  readonly kin: Kin | undefined;
  /** By our own clock, a moment before the start. */
  readonly began: number;
}

export type StartRequest = Pick<
  ProcessRequest,
  'argv' | 'cwd' | 'env' | 'marker' | 'streams' | 'input' | 'wall'
> & {
  /** Standard input stays open for what the caller writes later. */
  readonly keepInput?: boolean;
};

/** Rejects with the system's error when the program cannot be started. */
export async function startChild(request: StartRequest): Promise<StartedChild> {
  // A missing folder would be reported as a missing program otherwise.
  statSync(request.cwd);
  const env = childEnvironment(request.env, request.cwd, request.marker);
  const enclosed = await request.wall?.enclose(request.argv, request.cwd, env);
  const merged = request.streams === 'merged' ? await openMergedOutput() : undefined;
  try {
    const group = request.marker === undefined ? undefined : ControlGroup.open();
    const began = performance.now();
    const spawned = () => spawnIn({ ...request, env, ...enclosed }, merged?.writer ?? 'pipe');
    const child = group ? group.start(spawned) : spawned();
    if (group) child.once('error', () => group.remove());
    const exit = closedAfter(exitOf(child), enclosed);
    child.stdin?.on('error', () => {
      // A program may end without reading its input; how it ended says more than the broken pipe.
    });
    await once(child, 'spawn');
    if (!request.keepInput) child.stdin?.end(request.input);
    const output = merged?.reader ?? child.stdout;
    if (child.pid === undefined || !output) throw new Error('the system gave no process id');
    return {
      child,
      pid: child.pid,
      output,
      errors: child.stderr ?? undefined,
      exit,
      kin: group ?? behind(enclosed),
      began,
    };
  } catch (error) {
    merged?.reader.destroy();
    await enclosed?.close();
    throw error;
  } finally {
    // The child has its own copy; while ours is open the reader never sees the end.
    merged?.writer.destroy();
  }
}

function spawnIn(request: StartRequest, output: 'pipe' | Readable): ChildProcess {
  const [program, ...args] = request.argv;
  if (program === undefined || program === '') throw new Error('the command is empty');
  return spawn(program, args, {
    cwd: request.cwd,
    env: request.env,
    stdio: [request.input === undefined && !request.keepInput ? 'ignore' : 'pipe', output, output],
    detached: true,
    shell: false,
  });
}

export function behind(enclosed: Enclosed | undefined): Kin | undefined {
  return enclosed && { members: () => enclosed.inmates(), remove: () => undefined };
}

function exitOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(code === null ? { kind: 'killed', signal: signal ?? 'a signal' } : { kind: 'exited', code });
    });
  });
}

/** How a child ended, once what was made for it is gone. */
export async function closedAfter<E>(exit: Promise<E>, enclosed: Enclosed | undefined): Promise<E> {
  try {
    return await exit;
  } finally {
    await enclosed?.close();
  }
}
