import type { AgentConversation } from '../../agents/adapter.ts';
import type { AgentError } from '../../agents/event.ts';
import type { AgentOutcome } from '../../agents/run-agent.ts';
import type { WebUse } from '../../agents/web-use.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import { asFact, type ContextSegment, type ExecutionPayload } from '../../manifest/segment.ts';

const TYPE = 'AGENT_RUN';

/** What is kept of a run beside its words: who, at what price, how it ended, and how to continue it. */
export function agentRunSegment(
  worker: string,
  agent: string,
  outcome: AgentOutcome,
  { sandbox, login, calls }: RunDetails = {},
) {
  const { used, denied, files, web, conversation, error, end } = outcome;
  const content: JsonObject = {
    worker,
    agent,
    ok: outcome.ok,
    tokens: used.tokens,
    usd: used.usd,
    estimated: used.estimated,
    ms: Math.round(end.durationMs),
    ...(end.kind === 'exited' ? { code: end.code } : { ended: end.kind }),
    ...(denied.length === 0 ? {} : { denied: denied.map(({ tool, reason }) => ({ tool, reason })) }),
    ...(files.length === 0 ? {} : { files: files.map(({ path }) => path) }),
    ...(web.fetched.length + web.searched.length === 0 ? {} : { web: webJson(web) }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(calls === undefined ? {} : { calls: [...calls] }),
    ...(end.left === undefined ? {} : { left: end.left }),
    ...(error ? { error: errorJson(error, login) } : {}),
    ...(conversation ? { conversation: conversationJson(conversation) } : {}),
  };
  return { type: TYPE, content, extra: asFact({}) };
}

interface RunDetails {
  readonly sandbox?: string | undefined;
  readonly login?: string | undefined;
  /** Of a model: each with its key and how it ended. */
  readonly calls?: readonly JsonObject[] | undefined;
}

function webJson({ fetched, searched }: WebUse): JsonObject {
  return { fetched: [...fetched], searched: [...searched] };
}

/** What all agents of a history looked at on the web, as far as their own tools reported it. */
export function webUseIn(payload: ExecutionPayload): WebUse {
  const uses = payload.flatMap((segment) => {
    const { content } = segment;
    const web = isGenuine(segment, TYPE) && isJsonObject(content) ? content['web'] : undefined;
    return isJsonObject(web) ? [web] : [];
  });
  const all = (key: string) => [...new Set(uses.flatMap((use) => textsAt(use, key)))];
  return { fetched: all('fetched'), searched: all('searched') };
}

function textsAt(object: JsonObject, key: string): string[] {
  const list = object[key];
  return Array.isArray(list) ? list.flatMap((entry) => (typeof entry === 'string' ? [entry] : [])) : [];
}

/** What the agent ran into, with its own words for logging in where that is the cure. */
export function errorJson({ kind, message }: AgentError, login: string | undefined): JsonObject {
  return { kind, message, ...(kind === 'auth' && login !== undefined ? { login } : {}) };
}

/** How the newest run of a history ended, whoever ran. */
export function lastRunIn(
  payload: ExecutionPayload,
): { readonly ok: boolean; readonly error: JsonValue | undefined; readonly denied: boolean } | undefined {
  const content = payload.findLast((segment) => isGenuine(segment, TYPE))?.content;
  if (!isJsonObject(content)) return undefined;
  const { ok, error, denied } = content;
  return {
    ok: ok === true,
    error: isJsonObject(error) ? error['kind'] : undefined,
    denied: Array.isArray(denied),
  };
}

/** The conversation that the same worker had with the same agent, if the history knows of one. */
export function lastConversation(
  payload: ExecutionPayload,
  worker: string,
  agent: string,
): AgentConversation | undefined {
  const run = payload.findLast((segment) => isRunOf(segment, worker, agent));
  return run && isJsonObject(run.content) ? readConversation(run.content.conversation) : undefined;
}

export function conversationJson({ id, counted }: AgentConversation): JsonObject {
  return counted ? { id, counted: { tokens: { ...counted.tokens }, usd: counted.usd } } : { id };
}

export function readConversation(value: JsonValue | undefined): AgentConversation | undefined {
  if (!isJsonObject(value) || typeof value.id !== 'string') return undefined;
  const { counted } = value;
  if (!isJsonObject(counted) || !isJsonObject(counted.tokens) || typeof counted.usd !== 'number') {
    return { id: value.id };
  }
  const { input, cached, output } = counted.tokens;
  if (typeof input !== 'number' || typeof cached !== 'number' || typeof output !== 'number')
    return { id: value.id };
  return { id: value.id, counted: { tokens: { input, cached, output }, usd: counted.usd } };
}

function isRunOf(segment: ContextSegment, worker: string, agent: string): boolean {
  const { content } = segment;
  return (
    isGenuine(segment, TYPE) && isJsonObject(content) && content.worker === worker && content.agent === agent
  );
}
