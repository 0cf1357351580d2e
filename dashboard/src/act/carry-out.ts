import type { Action } from '../../../src/kernel/action.ts';
import { call } from '../api/call.ts';
import { word } from '../text/word.ts';

/** What a person gave for what the action needs, and the id where it asks for that. */
export type Given = { readonly [name: string]: unknown };

type Carry = (input: { readonly [name: string]: unknown }, once: string) => Promise<unknown>;

const said = (input: Given, ...names: readonly string[]): { readonly [name: string]: unknown } =>
  Object.fromEntries(names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));
const session = (input: Given) => ({ id: word(input['session']) });
const task = (input: Given) => ({ id: word(input['task']) });

/** A budget as one line, `usd=5,steps=80`, as the command line takes it. */
function budgetIn(line: unknown): { readonly budget?: { readonly [unit: string]: number } } {
  if (typeof line !== 'string' || line.trim() === '') return {};
  const pairs = line.split(',').map((pair) => pair.trim().split('='));
  return { budget: Object.fromEntries(pairs.map(([unit = '', amount = '']) => [unit, Number(amount)])) };
}

const continuing = (input: Given) => ({
  ...said(input, 'guidance', 'answer', 'allow', 'takeOver', 'manifest', 'confirm'),
  ...budgetIn(input['budget']),
});

/** How each action is carried out. One without an entry can only be shown as a command. */
const CARRY: { readonly [id in Action['id']]?: Carry } = {
  'session.resume': (input, once) =>
    call('resume', { params: session(input), body: continuing(input), once }),
  'session.retry': (input, once) => call('retry', { params: session(input), body: continuing(input), once }),
  'session.step': (input, once) => call('runStep', { params: session(input), body: continuing(input), once }),
  'session.answer': (input, once) =>
    input['stageTask'] === undefined
      ? call('resume', { params: session(input), body: { answer: word(input['answer']) }, once })
      : call('answer', {
          params: { ...session(input), task: word(input['stageTask']) },
          body: { text: word(input['answer']) },
          once,
        }),
  'session.stop': (input, once) =>
    call('stop', { params: { ...session(input), task: word(input['stageTask']) }, body: {}, once }),
  'session.abort': (input, once) =>
    call('abort', { params: session(input), body: said(input, 'confirm'), once }),
  'session.accept': (input, once) =>
    call('accept', {
      params: session(input),
      body: said(input, 'message', 'into', 'pr', 'unproven', 'suspicious', 'acceptSecrets', 'confirm'),
      once,
    }),
  'session.keep': (input, once) =>
    call('keep', { params: session(input), body: said(input, 'message', 'acceptSecrets'), once }),
  'session.discard': (input, once) =>
    call('discard', { params: session(input), body: said(input, 'confirm'), once }),
  'session.hold': (input, once) => call('hold', { params: session(input), body: {}, once }),
  'session.unhold': (input, once) => call('unhold', { params: session(input), body: {}, once }),
  'session.undo': (input, once) => call('undo', { params: session(input), body: {}, once }),
  'session.fork': (input, once) =>
    call('fork', {
      params: session(input),
      body: { at: Number(input['step']), ...said(input, 'guidance'), run: true },
      once,
    }),
  'session.rewind': (input, once) =>
    call('rewind', { params: session(input), body: { to: Number(input['step']) }, once }),
  'task.approve': (input, once) =>
    call('approve', {
      params: task(input),
      body: said(input, 'merge', 'message', 'unproven', 'suspicious', 'confirm'),
      once,
    }),
  'task.rework': (input, once) =>
    call('rework', { params: task(input), body: { notes: word(input['notes']) }, once }),
  'task.requeue': (input, once) => call('requeue', { params: task(input), body: said(input, 'notes'), once }),
  'task.cancel': (input, once) => call('cancel', { params: task(input), body: {}, once }),
  'work.start': (_input, once) => call('startRuntime', { body: {}, once }),
};

export function canCarryOut({ id }: Action): boolean {
  return CARRY[id] !== undefined;
}

/** Does it, once, however often the same call is sent. */
export async function carryOut(action: Action, given: Given): Promise<unknown> {
  const carry = CARRY[action.id];
  if (!carry) throw new Error(`${action.label}: that can only be typed.`);
  return carry({ ...action.with, ...given }, crypto.randomUUID());
}
