import { expect, test } from 'vitest';
import { parseAge, parseBudget, parseInputs, parseStepNumber } from './option-values.ts';

test('parseBudget reads every part and refuses what is no amount', () => {
  expect(parseBudget('steps=50, usd=2.5,tokens=1000,minutes=0.5')).toEqual({
    steps: 50,
    usd: 2.5,
    tokens: 1000,
    minutes: 0.5,
  });
  expect(() => parseBudget('stpes=1')).toThrow('Did you mean "steps"?');
  for (const text of ['steps=', 'steps=x', 'steps=-1', 'steps=1.5', 'steps=1=2', 'usd=Infinity']) {
    expect(() => parseBudget(text)).toThrow('gives no usable amount');
  }
});

test('parseInputs keeps everything after the first equals sign', () => {
  expect(parseInputs(['a=1', 'b=x=y', 'c='])).toEqual({ a: '1', b: 'x=y', c: '' });
  expect(() => parseInputs(['=1'])).toThrow('is not an input');
  expect(() => parseInputs(['a=1', 'a=2'])).toThrow('given twice');
});

test('parseAge and parseStepNumber', () => {
  expect([parseAge('30m'), parseAge('12h'), parseAge('7d'), parseAge('2w')]).toEqual([
    1_800_000, 43_200_000, 604_800_000, 1_209_600_000,
  ]);
  expect(() => parseAge('7')).toThrow('is not an age');
  expect(parseStepNumber('3')).toBe(3);
  for (const text of ['0', '-1', '1.5', 'x', ''])
    expect(() => parseStepNumber(text)).toThrow('is not the number');
});
