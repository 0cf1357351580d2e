import type { JsonObject } from '../kernel/json.ts';
import { createMasker } from '../kernel/mask.ts';
import type { ProgressNote } from '../manifest/progress-note.ts';
import type { ReplyTerms } from '../manifest/reply-terms.ts';
import type { ContextSegment, ExecutionPayload } from '../manifest/segment.ts';
import type { Question, Usage, WorkerContext, WorkerRun } from '../manifest/worker.ts';
import type { Captured } from '../process/capture.ts';
import type { ProcessOutcome } from '../process/outcome.ts';
import type { ProcessRequest, RunProcess } from '../process/request.ts';
import type { WorkerServices } from './services.ts';

/** Stand-ins for what the engine gives a worker, for tests of single workers; not part of the package. */

export interface ContextParts {
  readonly worktree?: string;
  readonly payload?: ExecutionPayload;
  readonly with?: JsonObject;
  readonly memory?: JsonObject;
  readonly step?: number;
  readonly reply?: ReplyTerms;
}

const TEXT: ReplyTerms = { structured: false, signals: ['SIGNAL:SUCCESS', 'SIGNAL:FAILURE'] };

/** Cancelling ends every process of a session, so two tests must never share one. */
let contexts = 0;

export function contextFor(parts: ContextParts = {}): WorkerContext {
  const { worktree, payload = [], step = 1 } = parts;
  return {
    execution_payload: payload,
    contract: { with: parts.with ?? {}, reply: parts.reply ?? TEXT },
    inherited_context: parts.memory ?? {},
    primary_artifact: [],
    system_metadata: {
      ...(worktree === undefined ? {} : { worktree_path: worktree }),
      block_id: 'Node__Block',
      node_id: 'Node',
      session_id: `test-${process.pid}-${++contexts}`,
      epoch: 1,
      step,
      goal: 'a goal',
      call_depth: 0,
    },
    flatten: () => payload,
  };
}

export interface RecordedRun extends WorkerRun {
  readonly notes: readonly ProgressNote[];
  readonly used: readonly Usage[];
  readonly asked: readonly Question[];
  readonly text: () => string;
  abort(): void;
}

export function recordedRun(
  options: {
    readonly answer?: string;
    readonly logFile?: string;
    readonly onOutput?: (text: string) => void;
  } = {},
): RecordedRun {
  const control = new AbortController();
  const notes: ProgressNote[] = [];
  const used: Usage[] = [];
  const asked: Question[] = [];
  let text = '';
  let segments = 0;
  return {
    cancel: control.signal,
    abort: () => control.abort(),
    segment: (type, content, extra = {}): ContextSegment => ({
      ...extra,
      id: `new-${++segments}`,
      type,
      content,
    }),
    output(more) {
      text += more;
      options.onOutput?.(text);
    },
    usage: (amount) => void used.push(amount),
    progress: (note) => void notes.push(note),
    earlier: [],
    tell: () => undefined,
    live: () => () => undefined,
    checkpoint: () => Promise.resolve(),
    stopClock: () => () => undefined,
    ask(question) {
      asked.push(question);
      return options.answer ?? '';
    },
    park() {
      throw new Error('parked');
    },
    logFile: () => options.logFile,
    notes,
    used,
    asked,
    text: () => text,
  };
}

export function servicesFor(more: Partial<WorkerServices> = {}): WorkerServices {
  return { baseEnv: { PATH: process.env['PATH'] }, masker: createMasker([]), ...more };
}

/** Stands in for starting a process: remembers the requests and gives the outcome. */
export function fakeProcesses(end: { code?: number; output?: string; errors?: string } = {}): {
  readonly processes: RunProcess;
  readonly requests: readonly ProcessRequest[];
} {
  const requests: ProcessRequest[] = [];
  const { code = 0, output = '', errors = '' } = end;
  const outcome: ProcessOutcome = {
    kind: 'exited',
    code,
    output: captured(output),
    errors: captured(errors),
    durationMs: 1,
  };
  const processes: RunProcess = (request) => {
    requests.push(request);
    return Promise.resolve(outcome);
  };
  return { processes, requests };
}

function captured(text: string): Captured {
  return { text, bytes: Buffer.byteLength(text), truncated: false, masked: false };
}
