import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { objectAt, textAt } from '../stream/read-json.ts';

/** What is said comes in pieces; they are one text until another message begins or something else happens. */
export class SpokenText {
  #message: string | undefined;
  #text = '';

  hear(update: JsonObject): readonly AgentEvent[] {
    const kind = update['sessionUpdate'];
    if (kind !== 'agent_message_chunk') return isAside(kind) ? [] : this.flush();
    const message = textAt(update, 'messageId');
    const before = message === this.#message ? [] : this.flush();
    this.#message = message;
    this.#text += textAt(objectAt(update, 'content'), 'text') ?? '';
    return before;
  }

  flush(): readonly AgentEvent[] {
    const text = this.#text;
    this.#text = '';
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  }
}

/** Told whenever the CLI likes, also in the middle of a sentence. */
function isAside(kind: unknown): boolean {
  return kind === 'available_commands_update' || kind === 'usage_update' || kind === 'session_info_update';
}
