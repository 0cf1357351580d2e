import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { objectAt, objectsAt, textAt } from '../stream/read-json.ts';
import type { AcpTraits } from './traits.ts';

interface Call {
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  readonly input: JsonObject;
  readonly changes: readonly JsonObject[];
  readonly places: readonly JsonObject[];
  readonly told: boolean;
  readonly denied: boolean;
}

const NEW: Call = {
  name: '',
  title: '',
  kind: '',
  input: {},
  changes: [],
  places: [],
  told: false,
  denied: false,
};

/** What a CLI says when its own rules kept a tool from running. */
const DENIED =
  /rejected permission|prevents? you from using|permission denied|not allowed|denied by policy|path not in workspace/i;

/** The calls of tools in a session. What is known about one comes in several updates, some of it only when it asks. */
export class AcpTools {
  readonly #traits: AcpTraits;
  readonly #calls = new Map<string, Call>();

  constructor(traits: AcpTraits) {
    this.#traits = traits;
  }

  nameOf(call: JsonObject): string {
    return this.#calls.get(idOf(call))?.name ?? this.#traits.toolName(call);
  }

  heard(update: JsonObject): readonly AgentEvent[] {
    const call = this.#learn(update);
    const status = update['status'];
    if (status === 'completed' || status === 'failed')
      return this.#ended(call, update, status === 'completed');
    // Before it is in progress some CLIs do not know its input.
    return status === 'pending' ? [] : this.#tell(idOf(update));
  }

  /** It waits to be allowed. */
  asked(call: JsonObject): readonly AgentEvent[] {
    this.#learn(call);
    return this.#tell(idOf(call));
  }

  denied(id: string, reason: string): readonly AgentEvent[] {
    const call = this.#calls.get(id) ?? NEW;
    if (call.denied) return [];
    this.#calls.set(id, { ...call, denied: true });
    return [{ type: 'denied', tool: call.name || 'a tool', reason }];
  }

  #learn(update: JsonObject): Call {
    const id = idOf(update);
    const known = this.#calls.get(id) ?? NEW;
    const raw = objectAt(update, 'rawInput');
    const changes = objectsAt(update, 'content').filter(({ type }) => type === 'diff');
    const places = objectsAt(update, 'locations');
    const call: Call = {
      ...known,
      name: known.name || this.#traits.toolName(update),
      title: textAt(update, 'title') ?? known.title,
      kind: known.kind || (textAt(update, 'kind') ?? ''),
      input: known.told || Object.keys(raw).length === 0 ? known.input : raw,
      changes: changes.length > 0 ? changes : known.changes,
      places: places.length > 0 ? places : known.places,
    };
    this.#calls.set(id, call);
    return call;
  }

  #tell(id: string): readonly AgentEvent[] {
    const call = this.#calls.get(id);
    if (!call || call.told) return [];
    this.#calls.set(id, { ...call, told: true });
    const { name, title, input, places } = call;
    // Some CLIs tell of the input only what a person is to read.
    const shown = Object.keys(input).length > 0 ? input : { title, paths: pathsOf(places) };
    return [{ type: 'tool', id, name, input: shown }];
  }

  #ended(call: Call, update: JsonObject, ok: boolean): readonly AgentEvent[] {
    const id = idOf(update);
    const output = outputOf(update);
    const told = this.#tell(id);
    const denied = !ok && DENIED.test(output) ? this.denied(id, output) : [];
    this.#calls.delete(id);
    return [...told, ...denied, { type: 'tool.ended', id, ok, output }, ...(ok ? filesOf(call) : [])];
  }
}

function idOf(call: JsonObject): string {
  return textAt(call, 'toolCallId') ?? '';
}

function outputOf(update: JsonObject): string {
  return objectsAt(update, 'content')
    .flatMap((part) => textAt(objectAt(part, 'content'), 'text') ?? [])
    .join('\n');
}

function filesOf({ changes, kind, places }: Call): readonly AgentEvent[] {
  const shown = changes.flatMap((change): AgentEvent[] => {
    const path = textAt(change, 'path');
    // An empty one that was there before cannot be told from a new one.
    const added = (textAt(change, 'oldText') ?? '') === '';
    return path === undefined ? [] : [{ type: 'file', path, change: added ? 'added' : 'changed' }];
  });
  if (shown.length > 0 || kind !== 'edit') return shown;
  return pathsOf(places).map((path) => ({ type: 'file', path, change: 'changed' }));
}

function pathsOf(places: readonly JsonObject[]): readonly string[] {
  return places.flatMap((place) => textAt(place, 'path') ?? []);
}
