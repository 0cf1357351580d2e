import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { RpcQuestions } from '../rpc/questions.ts';
import { RpcStream } from '../rpc/rpc-stream.ts';
import type { StreamContext } from '../stream/context.ts';
import type { Failure } from '../stream/error-kind.ts';
import { objectAt, objectsAt, textAt } from '../stream/read-json.ts';
import { permissionOf } from './permission.ts';
import { AcpTools } from './tools.ts';
import type { AcpTraits } from './traits.ts';

/** No files and no terminal: the CLI works in its folder by itself, as it does without us. */
const INITIALIZE = { protocolVersion: 1, clientCapabilities: {} };

/** The Agent Client Protocol, version 1: one session, one prompt, and questions in between. */
export class AcpStream extends RpcStream {
  protected override readonly noise: RegExp | undefined;
  readonly #context: StreamContext;
  readonly #traits: AcpTraits;
  readonly #questions = new RpcQuestions();
  readonly #said = new SpokenText();
  readonly #tools: AcpTools;
  /** What an answer led to, told with the next line: an answer itself tells nothing. */
  #answered: AgentEvent[] = [];
  #who = 'The agent';
  #logins: readonly JsonObject[] = [];
  #prompted = false;

  constructor(context: StreamContext, traits: AcpTraits) {
    super(context, INITIALIZE);
    this.#context = context;
    this.#traits = traits;
    this.noise = traits.noise;
    this.#tools = new AcpTools(traits);
  }

  answer(questionId: string, text: string): string {
    const { choice, line, about } = this.#questions.answer(questionId, text);
    if (choice.denies) this.#answered.push(...this.#tools.denied(about, 'A person denied it.'));
    return line;
  }

  protected override read(message: JsonObject): readonly AgentEvent[] {
    const answered = this.#answered;
    this.#answered = [];
    return [...answered, ...super.read(message)];
  }

  protected override readText(line: string): readonly AgentEvent[] {
    return this.retried(this.#traits.retry?.(line));
  }

  protected override finish(): readonly AgentEvent[] {
    return [...this.#answered, ...this.#said.flush()];
  }

  protected initialized(result: JsonObject): readonly AgentEvent[] {
    const info = objectAt(result, 'agentInfo');
    this.#who = textAt(info, 'title') ?? textAt(info, 'name') ?? this.#who;
    this.#logins = objectsAt(result, 'authMethods');
    const methodId = this.#context.dialogue?.authenticate;
    if (methodId === undefined) return this.#open(result);
    this.call('authenticate', { methodId }, () => this.#open(result));
    return [];
  }

  #open(initialized: JsonObject): readonly AgentEvent[] {
    const { resume, dialogue } = this.#context;
    const { model, ...rest } = dialogue?.params ?? {};
    const params = { cwd: dialogue?.cwd ?? '', mcpServers: [], ...rest };
    if (!resume) {
      this.call('session/new', params, (session) => this.#begun(textAt(session, 'sessionId') ?? '', model));
      return [];
    }
    const can = objectAt(objectAt(initialized, 'agentCapabilities'), 'sessionCapabilities');
    // Loading tells the whole conversation again first.
    const method = can['resume'] === undefined ? 'session/load' : 'session/resume';
    this.call(method, { sessionId: resume.id, ...params }, () => this.#begun(resume.id, model));
    return [];
  }

  protected notified(method: string, params: JsonObject): readonly AgentEvent[] {
    if (method !== 'session/update' || !this.#prompted) return [];
    const update = objectAt(params, 'update');
    const retry = this.#traits.retryIn?.(spokenIn(update));
    if (retry) return [...this.#said.flush(), ...this.retried(retry)];
    const said = [...this.#said.hear(update), ...this.#traits.count.updated(update)];
    switch (update['sessionUpdate']) {
      case 'tool_call':
      case 'tool_call_update':
        return [...said, ...this.#tools.heard(update)];
      default:
        return said;
    }
  }

  protected requested(id: JsonValue, method: string, params: JsonObject): readonly AgentEvent[] | undefined {
    if (this.#traits.tells?.includes(method)) {
      this.reply(id, null);
      return [];
    }
    if (method !== 'session/request_permission') return undefined;
    const call = objectAt(params, 'toolCall');
    const told = [...this.#said.flush(), ...this.#tools.asked(call)];
    const permission = permissionOf(this.#who, this.#tools.nameOf(call), params);
    if (this.#context.dialogue?.asks) return [...told, this.#questions.ask(id, permission)];
    this.reply(id, permission.refusal);
    const reason = 'Nobody is there to allow it.';
    return [...told, ...this.#tools.denied(textAt(call, 'toolCallId') ?? '', reason)];
  }

  protected override failed(failure: Failure): readonly AgentEvent[] {
    const error = this.#traits.error(failure, this.clock.now());
    const ways = error.kind === 'auth' ? waysToLogIn(this.#logins) : '';
    return [
      ...this.#said.flush(),
      ...this.#used({}),
      { ...error, message: `${error.message}${ways}` },
      { type: 'result', ok: false, text: failure.message },
    ];
  }

  #begun(id: string, model: JsonValue | undefined): readonly AgentEvent[] {
    const { counted } = this.#context.resume ?? {};
    this.conversation = { id, ...(counted ? { counted } : {}) };
    if (model === undefined) this.#prompt(id);
    else this.call('session/set_model', { sessionId: id, modelId: model }, () => this.#prompt(id));
    const name = this.#context.model;
    return [{ type: 'session', id, ...(name === undefined ? {} : { model: name }) }];
  }

  #prompt(sessionId: string): readonly AgentEvent[] {
    this.#prompted = true;
    const prompt = [{ type: 'text', text: this.#context.dialogue?.prompt ?? '' }];
    this.call('session/prompt', { sessionId, prompt }, (result) => this.#ended(result));
    return [];
  }

  #ended(result: JsonObject): readonly AgentEvent[] {
    const failure = this.#traits.failureIn?.(this.#said.last, result);
    if (failure) return this.failed(failure);
    const told = [...this.#said.flush(), ...this.#used(result)];
    const reason = textAt(result, 'stopReason') ?? 'unknown';
    if (reason === 'end_turn') return [...told, { type: 'result', ok: true, text: '' }];
    const message = `The answer was cut off: ${reason}.`;
    return [
      ...told,
      { type: 'error', kind: 'refused', message },
      { type: 'result', ok: false, text: message },
    ];
  }

  #used(result: JsonObject): readonly AgentEvent[] {
    const events = this.#traits.count.ended(result);
    const { counted } = this.#traits.count;
    if (this.conversation && counted) this.conversation = { id: this.conversation.id, counted };
    return events;
  }
}

/** What the CLI itself offers to somebody who is not logged in. */
function waysToLogIn(methods: readonly JsonObject[]): string {
  const ways = methods.map((method) => {
    const [name, how] = [textAt(method, 'name') ?? textAt(method, 'id'), textAt(method, 'description')];
    return how === undefined || how === name ? name : `${name} (${how})`;
  });
  return ways.length === 0 ? '' : `. It offers: ${ways.join(', ')}`;
}

/** What is said comes in pieces; they are one text until another message begins or something else happens. */
class SpokenText {
  #message: string | undefined;
  #text = '';
  #last = '';

  hear(update: JsonObject): readonly AgentEvent[] {
    const kind = update['sessionUpdate'];
    if (kind !== 'agent_message_chunk') return isAside(kind) ? [] : this.flush();
    const message = textAt(update, 'messageId');
    const before = message === this.#message ? [] : this.flush();
    this.#message = message;
    this.#text += spokenIn(update);
    return before;
  }

  /** What was said last, told already or not. */
  get last(): string {
    return this.#text.trim() === '' ? this.#last : this.#text;
  }

  flush(): readonly AgentEvent[] {
    const text = this.#text;
    this.#text = '';
    if (text.trim() !== '') this.#last = text;
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  }
}

function spokenIn(update: JsonObject): string {
  const says = update['sessionUpdate'] === 'agent_message_chunk';
  return says ? (textAt(objectAt(update, 'content'), 'text') ?? '') : '';
}

/** Told whenever the CLI likes, even in the middle of a sentence. */
function isAside(kind: unknown): boolean {
  return kind === 'available_commands_update' || kind === 'usage_update' || kind === 'session_info_update';
}
