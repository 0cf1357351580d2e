import { describe, expect, it } from 'vitest';
import { UsageError } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { compileManifest } from './compile.ts';
import { renderPlaceholders, requiredInputs } from './placeholders.ts';
import { formatProblem } from './problem.ts';

const values = {
  goal: 'fix it',
  inputs: { file: 'a.ts', tries: 3, list: ['x', 'y'] },
  config: { commands: { test: ['npm', 'test'] }, name: '{{goal}}' },
};

function compile(fields: object, config?: JsonObject) {
  const input = { A: { entry_block: 'Go', blocks: { Go: { worker: 'w', transitions: [], ...fields } } } };
  return compileManifest(input, config ? { config } : {});
}

const errors = (fields: object, config?: JsonObject): string[] =>
  compile(fields, config).problems.map(formatProblem);

describe('filling in placeholders', () => {
  it('ENG-14 fills texts, all the way down, in a new value', () => {
    const value = Object.freeze({
      a: 'do: {{goal}}',
      b: [{ c: '{{ inputs.file }}:{{inputs.tries}}' }],
      d: 1,
      e: null,
    });
    expect(renderPlaceholders(value, values)).toEqual({
      a: 'do: fix it',
      b: [{ c: 'a.ts:3' }],
      d: 1,
      e: null,
    });
    expect(value.a).toBe('do: {{goal}}');
  });

  it('ENG-14 a text that is one placeholder becomes the value itself, except at the top', () => {
    expect(renderPlaceholders({ n: '{{inputs.tries}}', argv: '{{config.commands.test}}' }, values)).toEqual({
      n: 3,
      argv: ['npm', 'test'],
    });
    expect(renderPlaceholders('{{inputs.list}}', values)).toBe('["x","y"]');
  });

  it('ENG-14 what is filled in is not filled in again', () => {
    expect(renderPlaceholders('{{config.name}}!', values)).toBe('{{goal}}!');
    expect(renderPlaceholders('{{goal}}', { ...values, goal: '$& {{inputs.file}}' })).toBe(
      '$& {{inputs.file}}',
    );
  });

  it('ENG-14 a backslash keeps the braces, and keys stay as they are', () => {
    expect(renderPlaceholders({ '{{goal}}': 'docker -f \\{{.State}} {{goal}}' }, values)).toEqual({
      '{{goal}}': 'docker -f {{.State}} fix it',
    });
  });

  it('ENG-14 a missing value is an error that names it', () => {
    for (const text of ['{{inputs.nope}}', '{{config.toString}}', '{{inputs.file.length}}']) {
      expect(() => renderPlaceholders(text, values)).toThrow(UsageError);
      expect(() => renderPlaceholders({ deep: [text] }, values)).toThrow(text);
    }
  });
});

describe('placeholders of a manifest', () => {
  it('ENG-14 are accepted in instructions and with', () => {
    expect(
      errors(
        { instructions: '{{goal}} {{inputs.a}} {{config.b.c}}', with: { x: ['{{config.b}}'] } },
        { b: { c: 0 } },
      ),
    ).toEqual([]);
  });

  it.each([
    ['{{goals}}', '"{{goals}}" is not a placeholder; write {{goal}}, {{inputs.<name>}} or {{config.<key>}}'],
    ['{{env.HOME}}', 'is not a placeholder'],
    ['{{goal.x}}', 'is not a placeholder'],
    ['{{inputs}}', 'is not a placeholder'],
    ['{{inputs.}}', 'is not a placeholder'],
    ['{{}}', 'is not a placeholder'],
    ['{{config.tset}}', 'names a configuration key that does not exist. Did you mean "test"?'],
  ])('ENG-14 %s is an error with its place', (text, words) => {
    const config = { test: 'npm test' };
    const [inInstructions, ...none] = errors({ instructions: `do ${text}` }, config);
    expect(none).toEqual([]);
    expect(inInstructions).toContain('node A, block Go, instructions: ');
    expect(inInstructions).toContain(words);
    const [inWith] = errors({ with: { a: [{ b: text }] } }, config);
    expect(inWith).toContain('node A, block Go, with.a[0].b: ');
    expect(inWith).toContain(words);
  });

  it('ENG-14 configuration keys are checked only against a configuration', () => {
    expect(errors({ instructions: '{{config.any}}' })).toEqual([]);
    expect(errors({ instructions: '{{config.any}}' }, {})).toHaveLength(1);
  });

  it('ENG-14 braces elsewhere, escaped or unclosed are left alone', () => {
    expect(
      errors({
        description: '{{x}}',
        artifacts: ['{{x}}'],
        instructions: '\\{{x}} {{ open',
        with: { '{{x}}': 1 },
      }),
    ).toEqual([]);
  });

  it('ENG-14 tells which inputs a session needs', () => {
    const { manifest } = compile({
      instructions: '{{inputs.b}} {{inputs.a.x}}',
      with: { v: ['{{inputs.c}}', '{{inputs.b}}'] },
    });
    if (!manifest) throw new Error('does not compile');
    expect(requiredInputs(manifest)).toEqual(['a', 'b', 'c']);
  });
});
