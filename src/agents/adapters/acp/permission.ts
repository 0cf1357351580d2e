import type { JsonObject } from '../../../kernel/json.ts';
import type { RpcChoice, RpcQuestion } from '../rpc/questions.ts';
import { ALWAYS_WORDS, NO_WORDS, YES_WORDS } from '../stream/answer-words.ts';
import { objectAt, objectsAt, textAt } from '../stream/read-json.ts';

export interface Permission extends RpcQuestion {
  /** The answer where nobody is asked. */
  readonly refusal: JsonObject;
}

const WORDS: { readonly [kind: string]: readonly string[] } = {
  allow_once: YES_WORDS,
  allow_always: ALWAYS_WORDS,
  reject_once: NO_WORDS,
  reject_always: ['never'],
};

/** The question behind `session/request_permission`; its choices are those that the CLI offers, in its words. */
export function permissionOf(who: string, tool: string, params: JsonObject): Permission {
  const call = objectAt(params, 'toolCall');
  const title = textAt(call, 'title') ?? '';
  const choices = objectsAt(params, 'options').map(choiceFor);
  const refusal = choices.find(({ denies }) => denies)?.result ?? { outcome: { outcome: 'cancelled' } };
  return {
    question: `${who} wants to use ${tool}: ${title}`,
    choices,
    refusal,
    about: textAt(call, 'toolCallId') ?? '',
  };
}

function choiceFor(option: JsonObject): RpcChoice {
  const [id, kind] = [textAt(option, 'optionId') ?? '', textAt(option, 'kind') ?? ''];
  return {
    label: textAt(option, 'name') ?? id,
    words: WORDS[kind] ?? [],
    result: { outcome: { outcome: 'selected', optionId: id } },
    denies: kind.startsWith('reject'),
  };
}
