import type { JsonObject } from '../kernel/json.ts';
import { SUCCESS, signalOfValue, type Worker } from '../manifest/worker.ts';
import { answer, failed } from './answer.ts';
import { unknownParameters } from './parameters.ts';

/** Asks a person. Waiting costs nothing: the session halts, and this block is run again with the answer. */
export const askHuman: Worker = {
  checkWith(parameters) {
    const problems = unknownParameters(parameters, ['question', 'choices']);
    const { question, choices } = parameters;
    if (typeof question !== 'string' || question.trim() === '') problems.push('"question" must be a text.');
    if (choices !== undefined && choicesOf(parameters) === undefined) {
      problems.push('"choices" must be a list of different texts, at least one.');
    }
    return problems;
  },
  signalsFor: (parameters) => choicesOf(parameters)?.map((choice) => signalOfValue(choice)) ?? [SUCCESS],
  async run(context, run) {
    const parameters = context.contract.with;
    const choices = choicesOf(parameters);
    const question =
      typeof parameters.question === 'string' ? parameters.question : 'How should this continue?';
    const said = run.ask(choices ? { question, choices } : { question });
    if (!choices)
      return answer(SUCCESS, context, run, { type: 'HUMAN_ANSWER', content: said, extra: { question } });
    const chosen = choices.find((choice) => choice.toLowerCase() === said.trim().toLowerCase());
    if (chosen === undefined) return failed(context, run, `"${said}" is not one of: ${choices.join(', ')}.`);
    const segment = { type: 'HUMAN_ANSWER', content: chosen, extra: { question } };
    return answer(signalOfValue(chosen), context, run, segment);
  },
};

function choicesOf({ choices }: JsonObject): string[] | undefined {
  if (!Array.isArray(choices) || choices.length === 0) return undefined;
  const texts = choices.filter((choice) => typeof choice === 'string' && choice.trim() !== '');
  const different = new Set(texts.map((choice) => signalOfValue(choice)));
  return different.size === choices.length ? texts : undefined;
}
