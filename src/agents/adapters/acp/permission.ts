import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
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
    question: `${who} wants to use ${tool}: ${shown(title, objectAt(call, 'rawInput'))}`,
    choices,
    refusal,
    about: textAt(call, 'toolCallId') ?? '',
  };
}

const LONGEST = 500;
/** What decides whether a call may run, by the names that CLIs give it. */
const DECISIVE = ['command', 'cmd', 'file_path', 'filePath', 'path', 'url', 'query'];

/** A title is the CLI's own summary, such as "write a file": a person allows what really runs, so that is shown too. */
function shown(title: string, input: JsonObject): string {
  const decisive = DECISIVE.flatMap((name) => textOrList(input[name]) ?? [])[0];
  const what = decisive ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input));
  if (what === '' || title.includes(what)) return title;
  const short = what.length > LONGEST ? `${what.slice(0, LONGEST)}...` : what;
  return title === '' ? short : `${title}: ${short}`;
}

function textOrList(value: JsonValue | undefined): string | undefined {
  if (Array.isArray(value)) return value.map(String).join(' ');
  return typeof value === 'string' && value !== '' ? value : undefined;
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
