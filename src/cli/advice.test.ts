import { expect, test } from 'vitest';
import { adviceFor, type Situation } from './advice.ts';

const project = { command: (...words: readonly string[]) => words.join(' ') };
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
  adviceFor({ ...base, halt: { reason, message: '', block: 'N__B', resumeAt: null }, ...extra }, project)[0]
    ?.command ?? '';

test('every halt leads with the command that moves it on', () => {
  expect(halted('limit')).toBe('retry ID --guidance what it should know');
  expect(halted('flag')).toBe('retry ID --guidance what it should know');
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
  const commands = adviceFor({ ...base, halt }, project).map(({ command }) => command);
  expect(commands.slice(0, 2)).toEqual(['resume ID --answer a', 'resume ID --answer b']);
});

test('a dead owner is resumed, a living one left alone', () => {
  expect(adviceFor({ ...base, status: 'running' }, project)[0]?.command).toBe('resume ID');
  expect(adviceFor({ ...base, status: 'running', ownerAlive: true }, project)[0]?.command).toBe('show ID');
  expect(adviceFor({ ...base, status: 'failed' }, project)[0]?.command).toBe('retry ID');
});

test('a run of a task is left to the backlog', () => {
  const commands = (more: Partial<Situation>): string[] =>
    adviceFor({ ...base, task: 'T', kept: true, ...more }, project).map(({ command }) => command);
  expect(commands({ status: 'running' })).toEqual(['work', 'show T', 'show ID --step 4']);
  expect(commands({ status: 'completed' })).toEqual(['show T', 'show ID --step 4']);
  expect(commands({ status: 'halted' })).toEqual(['show T', 'show ID --step 4']);
});
