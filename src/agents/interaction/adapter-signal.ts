import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { AdapterSignal } from '../adapter.ts';
import type { Interaction } from '../runner/runner.ts';

/** The interaction that an adapter's signal stands for; undefined where it says something else. */
export function interactionOf(signal: AdapterSignal): Interaction | undefined {
  if (signal.type === 'state_changed' && !/interaction/i.test(signal.state)) return undefined;
  const payload: JsonObject =
    signal.type === 'state_changed' ? { ...signal.payload, state: signal.state } : signal.payload;
  const question = [payload['question'], payload['message'], payload['prompt']].find(isText) ?? '';
  const choices = payload['choices'];
  return {
    type: 'interaction',
    source: 'adapter',
    question,
    choices: Array.isArray(choices) ? choices.filter(isText) : [],
    payload,
  };
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}
