import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processEnvironment } from '../../config/terminal.ts';
import type { Action } from '../../kernel/action.ts';
import { LoopwrightError, PROBLEM_KINDS, type ProblemKind } from '../../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { openPlain } from '../../process/plain-file.ts';
import type { OpenProject } from '../open.ts';
import { refuseInside } from '../runs/nested.ts';
import { runtimes } from '../runtime/list-runtimes.ts';

/** A process of its own: it lives on when whoever started it is gone. */
export interface Detached {
  readonly pid: number;
  /** Null for what is no session, such as a runtime. */
  readonly session: string | null;
  readonly log: string;
}

export interface DetachedRequest {
  /** The program and all its words; it prints events as JSON, one a line. */
  readonly argv: readonly string[];
  /** What tells that it has begun: its first session, its first event, or that it works on the backlog. */
  readonly until: 'session' | 'runtime' | 'line';
  /** What its log is called. */
  readonly name: string;
}

const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 25;

/** What a process could not begin with, in its own words and with its own advice. */
class StartError extends LoopwrightError {
  override readonly kind: ProblemKind;

  constructor(kind: ProblemKind, message: string, next: Action | undefined) {
    super(message, next === undefined ? {} : { next });
    this.kind = kind;
  }
}

/** Starts a process that nobody owns, and resolves once it has begun; its first error is thrown. */
export async function startDetached(
  opened: OpenProject,
  { argv, until, name }: DetachedRequest,
): Promise<Detached> {
  refuseInside();
  const { project } = opened;
  const folder = join(project.folder, 'logs', 'ui');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = join(
    folder,
    `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}-${name}.jsonl`,
  );
  const out = openPlain(log, 'wx');
  const [program = process.execPath, ...words] = argv;
  const child = spawn(program, words, {
    cwd: project.dir,
    detached: true,
    stdio: ['ignore', out, out],
    env: { ...processEnvironment() },
  });
  closeSync(out);
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `it ended at once (${signal ?? code})`;
  });
  child.unref();
  const begun = async (): Promise<Detached | undefined> => {
    const { pid = 0 } = child;
    const lines = linesIn(log);
    const session = lines.map(sessionIn).find((id) => id !== undefined);
    const failed = lines.find(isFailure);
    if (session !== undefined && until === 'session') return { pid, session, log };
    if (failed) throw failureOf(failed);
    if (until === 'line' && lines.length > 0) return { pid, session: null, log };
    if (until === 'runtime' && (await runtimes(opened)).some(({ process: { pid: own } }) => own === pid))
      return { pid, session: null, log };
    return undefined;
  };
  const late = Date.now() + PATIENCE_MS;
  for (;;) {
    // Asked before looking: what it wrote before it ended is then read in this round.
    const over = ended;
    const detached = await begun();
    if (detached) return detached;
    if (over !== undefined) throw new StartError('internal', `It could not be started: ${over}.`, undefined);
    if (Date.now() > late)
      throw new StartError(
        'internal',
        `It has not begun within ${PATIENCE_MS / 1000} seconds; see ${log}.`,
        undefined,
      );
    await pause(LOOK_EVERY_MS);
  }
}

/** What was printed as JSON; the last line may not be all there yet. */
function linesIn(log: string): JsonObject[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('{')) return [];
      try {
        const value: unknown = JSON.parse(line);
        return isJsonObject(value) ? [value] : [];
      } catch {
        return [];
      }
    });
}

/** Only an event of a session tells that it began: the result of one that did not names none. */
function sessionIn({ type, session, exitCode, error }: JsonObject): string | undefined {
  if (typeof session !== 'string') return undefined;
  return type === 'result' && (error !== undefined || exitCode === 1) ? undefined : session;
}

function isFailure({ type, error }: JsonObject): boolean {
  return isJsonObject(error) && (type === 'result' || type === undefined);
}

function failureOf({ error }: JsonObject): StartError {
  const said = isJsonObject(error) ? error : {};
  const kind = PROBLEM_KINDS.find((known) => known === said['kind']) ?? 'internal';
  const next = isJsonObject(said['next']) ? said['next'] : undefined;
  const { command: _command, ...action } = next ?? {};
  const advice = next === undefined ? undefined : (action as unknown as Action);
  const message = said['message'];
  return new StartError(kind, typeof message === 'string' ? message : 'It could not be started.', advice);
}
