import { expect, test } from 'vitest';
import { wordsOf } from '../../cli/action-line.ts';
import { actionsFor } from './actions.ts';
import type { Situation } from './situation.ts';

const commands = (situation: Situation): string[] =>
  actionsFor(situation).map((each) => (wordsOf(each) ?? []).join(' '));
const base: Situation = {
  kept: false,
  id: 'ID',
  status: 'halted',
  halt: null,
  used: { steps: 4, tokens: 0, usd: 0, ms: 0 },
  budget: { steps: 1000 },
  ownerAlive: false,
  step: 4,
};
const halted = (reason: NonNullable<Situation['halt']>['reason'], extra: Partial<Situation> = {}): string =>
  commands({ ...base, halt: { reason, message: '', block: 'N__B', resumeAt: null }, ...extra })[0] ?? '';

test('every halt leads with the command that moves it on', () => {
  expect(halted('limit')).toBe('retry ID --guidance <hint>');
  expect(halted('flag')).toBe('retry ID --guidance <hint>');
  expect(halted('gate')).toBe('retry ID');
  expect(halted('step')).toBe('step ID');
  expect(halted('interrupted')).toBe('resume ID');
  expect(halted('budget', { budget: { steps: 4 } })).toBe('resume ID --budget steps=10');
  expect(halted('budget', { budget: { steps: 9, usd: 2 }, used: { ...base.used, usd: 2 } })).toBe(
    'resume ID --budget usd=4',
  );
});

test('a question offers each of its choices', () => {
  const halt = {
    reason: 'question',
    message: '?',
    block: 'B',
    resumeAt: 'B',
    question: { question: '?', choices: ['a', 'b'] },
  } as const;
  expect(commands({ ...base, halt }).slice(0, 2)).toEqual(['resume ID --answer a', 'resume ID --answer b']);
});

test('a dead owner is resumed, a living one left alone', () => {
  expect(commands({ ...base, status: 'running' })[0]).toBe('resume ID');
  expect(commands({ ...base, status: 'running', ownerAlive: true })[0]).toBe('show ID');
  expect(commands({ ...base, status: 'failed' })[0]).toBe('retry ID');
});

test('a run of a task is left to the backlog', () => {
  const ofTask = (more: Partial<Situation>): string[] =>
    commands({ ...base, task: 'T', kept: true, ...more });
  expect(ofTask({ status: 'running' })).toEqual(['work', 'show T', 'show ID --step 4']);
  expect(ofTask({ status: 'completed' })).toEqual(['show T', 'show ID --step 4']);
  expect(ofTask({ status: 'halted' })).toEqual(['show T', 'show ID --step 4']);
});
