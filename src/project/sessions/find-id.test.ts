import { describe, expect, test } from 'vitest';
import { matchSession } from './find-id.ts';

const IDS = ['01HAAAAAAAAAAAAAAAAAAAAA11', '01HAAAAAAAAAAAAAAAAAAAAB22', '01HBBBBBBBBBBBBBBBBBBBBC33'];
const match = (written?: string) => matchSession(written, IDS, (id) => `about ${id}`);

describe('matchSession', () => {
  test('takes a whole id, a prefix or a suffix of four characters, in any case', () => {
    expect(match(IDS[0])).toBe(IDS[0]);
    expect(match('01HB')).toBe(IDS[2]);
    expect(match('AB22')).toBe(IDS[1]);
    expect(match('bc33')).toBe(IDS[2]);
  });

  test('lists the candidates of an ambiguous one', () => {
    expect(() => match('01HAAAA')).toThrow(/fits 2 sessions:\n {2}AAAB22 .*\n {2}AAAA11 /);
  });

  test('has no default: without an id it lists them all, the newest first', () => {
    expect(() => match()).toThrow(/^Which session\? There are:\n {2}BBBC33 .*about 01HB/);
    expect(() => matchSession(undefined, [], String)).toThrow('There is no session in this project yet.');
  });

  test('says which one was perhaps meant', () => {
    expect(() => match('BC34')).toThrow(`Did you mean "${IDS[2]}"?`);
  });

  test.each(['../etc', 'a/b', '.', '-rf', 'a b', 'x\u0000y', 'x'.repeat(65)])('refuses %j', (written) => {
    expect(() => match(written)).toThrow('is not a session id.');
  });

  test('refuses fewer than four characters', () => {
    expect(() => match('C33')).toThrow('too short');
  });
});
