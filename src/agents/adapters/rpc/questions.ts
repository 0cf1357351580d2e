import { UsageError } from '../../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { AgentEvent, AgentQuestion } from '../../event.ts';
import { choiceOf } from '../../interaction/reply.ts';
import { replyTo, rpcLine } from './rpc-stream.ts';

export interface RpcChoice {
  readonly label: string;
  /** Words that mean it besides its label and its number. */
  readonly words: readonly string[];
  readonly result: JsonObject;
  /** Choosing it means that the tool is not used. */
  readonly denies?: boolean;
}

export interface RpcQuestion {
  readonly question: string;
  readonly choices: readonly RpcChoice[];
  /** The id of the tool's call that it is about. */
  readonly about: string;
}

export interface RpcAnswer {
  readonly choice: RpcChoice;
  readonly about: string;
  /** For standard input. */
  readonly line: string;
}

interface Open extends RpcQuestion {
  readonly id: JsonValue;
}

/** The requests of a CLI that wait for a person. */
export class RpcQuestions {
  readonly #open = new Map<string, Open>();

  ask(id: JsonValue, question: RpcQuestion): AgentQuestion {
    const key = JSON.stringify(id);
    this.#open.set(key, { id, ...question });
    const choices = question.choices.map(({ label }) => label);
    const words = question.choices.flatMap((choice) => choice.words);
    return { type: 'asked', id: key, question: question.question, choices, words };
  }

  withdraw(id: JsonValue): readonly AgentEvent[] {
    const key = JSON.stringify(id);
    return this.#open.delete(key) ? [{ type: 'withdrawn', id: key }] : [];
  }

  /** Throws, and leaves the question open, where the words are none of its choices. */
  answer(key: string, text: string): RpcAnswer {
    const open = this.#open.get(key);
    if (!open) {
      throw new UsageError('The question is no longer open.', { next: 'Look at what it asks now.' });
    }
    const choice = chosen(open.choices, text.trim().toLowerCase());
    if (!choice) {
      throw new UsageError(`${JSON.stringify(text)} is none of the choices.`, {
        next: `Choose one of: ${open.choices.map(({ label }, i) => `${i + 1} ${label}`).join(', ')}.`,
      });
    }
    this.#open.delete(key);
    return { choice, about: open.about, line: rpcLine(replyTo(open.id, choice.result)) };
  }
}

function chosen(choices: readonly RpcChoice[], text: string): RpcChoice | undefined {
  const at = choiceOf(
    choices.map(({ label }) => label),
    text,
  );
  return choices[at] ?? choices.find(({ words }) => words.includes(text));
}
