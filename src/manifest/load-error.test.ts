import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LoopwrightError } from '../kernel/errors.ts';
import { findJsonMistake } from '../kernel/json-mistake.ts';
import {
  ManifestInvalidError,
  ManifestNotFoundError,
  ManifestSyntaxError,
  parseManifestText,
} from './load-error.ts';

function syntaxError(text: string): ManifestSyntaxError {
  try {
    parseManifestText(text, 'w.json');
  } catch (error) {
    if (error instanceof ManifestSyntaxError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe('a manifest text', () => {
  it('ENG-06 is read as JSON, even after a byte order mark', () => {
    expect(parseManifestText('\uFEFF{"a": [1, true, null, "\\u00e9\\n"]}', 'w.json')).toEqual({
      a: [1, true, null, 'é\n'],
    });
  });

  it.each([
    ['{"a":1,}', 1, 8, 'comma before'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'comma or "}" is expected'],
    ['{"a" 1}', 1, 6, 'colon'],
    ['', 1, 1, 'text ends'],
    ['{"a": [1, 2', 1, 12, 'comma or "]"'],
    ['{"a":\n  tru}', 2, 3, '"tru" is not a value'],
    ["{'a': 1}", 1, 2, 'double quotes'],
    ['{"a": \'b\'}', 1, 7, 'single'],
    ['[1,]', 1, 4, 'comma too many'],
    ['{"a": "b\nc"}', 1, 9, 'line break'],
    ['{"a": "b', 1, 7, 'not closed'],
    ['{"a": "\\x"}', 1, 8, 'escape'],
    ['// first\n{}', 1, 1, 'no comments'],
    ['{\r\n  "a": 01\r\n}', 2, 9, 'comma or "}"'],
    ['{} {}', 1, 4, 'has ended'],
    ['{"A": 1, "A": 2}', 1, 10, 'stands twice'],
    ['['.repeat(5000), 1, 202, 'nested deeper'],
  ])('ENG-06 names line and column of the mistake in %j', (text, line, column, reason) => {
    const error = syntaxError(text);
    expect([error.line, error.column]).toEqual([line, column]);
    expect(error.message).toContain(`w.json:${line}:${column}: `);
    expect(error.message).toContain(reason);
    expect(error.next?.label).toContain(`line ${line} of w.json`);
  });

  it('ENG-06 is refused exactly when JSON.parse refuses it', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', ',', '"', '}', ']', '{', ':', '0', '\\', ' ', '\n', 'e', '-'),
      )
      .map(([json, at, cut, put]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + put + json.slice(place + cut);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        const mistake = findJsonMistake(text);
        if (mistake?.reason.includes('stands twice')) return;
        expect(mistake === undefined).toBe(accepts(text));
      }),
      { numRuns: 2000, seed: 7 },
    );
  });
});

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('load errors', () => {
  it('ENG-06 keeps the three kinds apart, each with a next step', () => {
    const kinds = [
      new ManifestNotFoundError('w.json'),
      syntaxError('{'),
      new ManifestInvalidError([{ severity: 'error', message: 'wrong', path: [] }]),
    ];
    for (const [index, error] of kinds.entries()) {
      expect(error).toBeInstanceOf(LoopwrightError);
      expect(error.next).toBeTruthy();
      for (const [other, { constructor }] of kinds.entries()) {
        expect(error.constructor === constructor).toBe(index === other);
      }
    }
    expect(kinds[0]?.message).toContain('w.json');
  });

  it('ENG-06 lists all problems of an invalid manifest', () => {
    const error = new ManifestInvalidError([
      { severity: 'warning', message: 'odd', path: ['gates', 0] },
      { severity: 'error', message: 'first', path: [] },
      { severity: 'error', message: 'second', node: 'A', path: ['A'] },
    ]);
    expect(error.message.split('\n')).toEqual([
      'The manifest has 2 problems:',
      '  first',
      '  node A: second',
      '  warning: gates[0]: odd',
    ]);
    expect(error.problems).toHaveLength(3);
  });
});
