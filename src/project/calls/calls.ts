import { join } from 'node:path';
import { LoopwrightError, NotFoundError } from '../../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import { readNotes } from '../../manifest/read-note.ts';
import { type ContextSegment, contentText } from '../../manifest/segment.ts';
import type { JournalRecord, StepRecord } from '../../orchestrator/state/record.ts';
import { segmentsOf } from '../../orchestrator/state/stored-segments.ts';
import { plainFilesIn } from '../../process/plain-file.ts';
import { taskOfLog } from '../../workers/agent/stream-log.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from '../sessions/list.ts';

/** One run of an agent or a model, as the journal has it. */
export interface Call {
  /** The segment that recorded it. */
  readonly call: string;
  readonly session: string;
  readonly step: number;
  readonly block: string;
  readonly at: number;
  readonly worker: string;
  readonly agent: string;
  readonly ok: boolean;
  readonly tokens: number;
  readonly usd: number;
  readonly estimated: boolean;
  readonly ms: number;
  readonly code?: number;
  readonly ended?: string;
  readonly denied: readonly JsonObject[];
  readonly files: readonly string[];
  readonly error?: JsonObject;
  readonly log?: string;
}

export interface CallDetail extends Call {
  /** What was sent, oldest first; secrets in it are masked. */
  readonly prompts: readonly { readonly task: string; readonly text: string; readonly at: number }[];
  /** What it said last. */
  readonly answer: string;
  readonly conversation?: JsonObject;
}

/** Every run of an agent in a session, newest first. */
export async function callsOf(opened: OpenProject, written: string): Promise<Call[]> {
  const session = findSession(opened.sessions, written);
  const logs = logsOf(opened, session);
  const { records } = opened.sessions.records(session);
  return records.flatMap((record) => (record.t === 'step' ? callsIn(session, record, logs) : [])).reverse();
}

const RECENT_SESSIONS = 20;
const RECENT_CALLS = 200;

/** The runs of agents in the newest sessions, newest first; a session that cannot be read is left out. */
export async function recentCalls(
  opened: OpenProject,
  { agent, block }: { readonly agent?: string; readonly block?: string } = {},
): Promise<Call[]> {
  const found: Call[] = [];
  for (const id of opened.sessions.ids().toSorted().reverse().slice(0, RECENT_SESSIONS)) {
    try {
      found.push(...(await callsOf(opened, id)));
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
    }
  }
  return found
    .filter(
      (call) =>
        (agent === undefined || call.agent === agent) && (block === undefined || call.block === block),
    )
    .toSorted((a, b) => b.at - a.at)
    .slice(0, RECENT_CALLS);
}

/** One of them with what went in and what came out. */
export async function callDetail(opened: OpenProject, written: string, call: string): Promise<CallDetail> {
  const session = findSession(opened.sessions, written);
  const { records } = opened.sessions.records(session);
  for (const record of records) {
    if (record.t !== 'step') continue;
    const found = callsIn(session, record, logsOf(opened, session)).find((each) => each.call === call);
    if (found) return { ...found, ...wordsOf(records, record, found) };
  }
  throw new NotFoundError(`Session ${session} has no call ${call}.`);
}

function callsIn(session: string, record: StepRecord, logs: readonly string[]): Call[] {
  const runs = segmentsOf(record.added).filter(
    (segment) => isGenuine(segment, 'AGENT_RUN') && isJsonObject(segment.content),
  );
  return runs.map((segment) => callOf(session, record, segment, logs));
}

function callOf(session: string, record: StepRecord, segment: ContextSegment, logs: readonly string[]): Call {
  const content = isJsonObject(segment.content) ? segment.content : {};
  const [worker, agent] = [textIn(content['worker']), textIn(content['agent'])];
  const { ok, tokens, usd, estimated, ms, code, ended, denied, files, error } = content;
  const log = logs.find((name) => Number.parseInt(name, 10) === record.step && name.includes(`--${agent}`));
  return {
    call: segment.id,
    session,
    step: record.step,
    block: record.block,
    at: record.at,
    worker,
    agent,
    ok: ok === true,
    tokens: tokensOf(tokens),
    usd: Number(usd ?? 0),
    estimated: estimated === true,
    ms: Number(ms ?? 0),
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof ended === 'string' ? { ended } : {}),
    denied: Array.isArray(denied) ? denied.filter(isJsonObject) : [],
    files: Array.isArray(files) ? files.filter((file) => typeof file === 'string') : [],
    ...(isJsonObject(error) ? { error } : {}),
    ...(log === undefined ? {} : { log }),
  };
}

function wordsOf(records: readonly JournalRecord[], record: StepRecord, { call }: Call) {
  const added = segmentsOf(record.added);
  const run = added.find(({ id }) => id === call);
  const prompts = records.flatMap((each) =>
    each.t === 'progress' && each.step === record.step
      ? readNotes(each.note).flatMap((note) =>
          note.type === 'said' && note.said === 'prompt'
            ? [{ task: note.task, text: note.text, at: note.at }]
            : [],
        )
      : [],
  );
  const said = added.findLast((segment) => segment.id !== call && !isGenuine(segment, 'AGENT_RUN'));
  const conversation = run && isJsonObject(run.content) ? run.content['conversation'] : undefined;
  return {
    prompts,
    answer: said ? contentText(said) : '',
    ...(isJsonObject(conversation) ? { conversation } : {}),
  };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Agents count by kind, models in one sum. */
function tokensOf(tokens: unknown): number {
  if (typeof tokens === 'number') return tokens;
  if (!isJsonObject(tokens)) return 0;
  return Object.values(tokens).reduce((sum: number, n) => sum + (typeof n === 'number' ? n : 0), 0);
}

function logsOf({ project }: OpenProject, session: string): string[] {
  return plainFilesIn(join(project.sessions, session, 'logs')).filter((name) => taskOfLog(name) !== 'output');
}
