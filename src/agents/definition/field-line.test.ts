import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldLine } from './field-line.ts';

describe('the line of a field', () => {
  it('is found through objects and lists, whatever the keys and texts hold', () => {
    const json = '{\n "a": { "x": "}, \\" {" },\n "b": [\n  1,\n  { "x":\n 2 }\n ]\n}';
    expect(fieldLine(json, ['a', 'x'])).toBe(2);
    expect(fieldLine(json, ['b', 0])).toBe(4);
    expect(fieldLine(json, ['b', 1, 'x'])).toBe(5);
    expect(fieldLine(json, ['b', 1, 'y'])).toBeUndefined();
    expect(fieldLine(json, [])).toBe(1);
  });

  it('is found for every field of any document', () => {
    const document = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
    );
    fc.assert(
      fc.property(document, (value) => {
        // JSON itself puts integer-like keys first.
        const plain = JSON.parse(JSON.stringify(value)) as object;
        const json = JSON.stringify(plain, undefined, 1);
        for (const [key, inner] of Object.entries(plain)) {
          const at = fieldLine(json, [key]);
          expect(json.split('\n')[(at ?? 0) - 1]).toContain(JSON.stringify(key));
          if (typeof inner !== 'object') continue;
          for (const innerKey of Object.keys(inner)) {
            const step = Array.isArray(inner) ? Number(innerKey) : innerKey;
            expect(fieldLine(json, [key, step])).toBeGreaterThan(at ?? 0);
          }
        }
      }),
    );
  });
});
