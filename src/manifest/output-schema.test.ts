import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { builtInSchemas, validateOutput } from './output-schema.ts';

const file: JsonObject = {
  type: 'object',
  properties: { filePath: { type: 'string' }, fileContent: { type: 'string' } },
  required: ['filePath', 'fileContent'],
  additionalProperties: false,
};
const value = { filePath: 'a.ts', fileContent: 'const a = "}{\\"";\n```\n' };
const json = JSON.stringify(value);

function accepted(schema: JsonObject | undefined, content: JsonValue): JsonValue {
  const checked = validateOutput(schema ?? {}, content);
  if (!checked.ok) throw new Error(checked.problems.join('; '));
  return checked.value;
}

function refused(schema: JsonObject | undefined, content: JsonValue): string[] {
  const checked = validateOutput(schema ?? {}, content);
  if (checked.ok) throw new Error(`accepted: ${JSON.stringify(checked.value)}`);
  return checked.problems;
}

describe('structured output', () => {
  it('TFX-11 is taken as it is', () => {
    expect(accepted(file, value)).toBe(value);
    expect(refused(file, { filePath: 1 })).toEqual([
      "the output must have required property 'fileContent'",
      '/filePath must be string',
    ]);
  });

  it.each<[string, string]>([
    ['the whole text', `\n ${json} \n`],
    ['a fenced block', `\`\`\`json\n${json}\n\`\`\``],
    ['a fence without a language', `\`\`\`\n${json}\n\`\`\``],
    ['a longer fence', `\`\`\`\`json\n${json}\n\`\`\`\``],
    ['a tilde fence', `~~~\n${json}\n~~~`],
    [
      'a fence in chat',
      `Sure! Here is the {file} you [asked] for:\n\n\`\`\`json\n${json}\n\`\`\`\nAnything else?`,
    ],
    ['a fence that is never closed', `Here:\n\`\`\`json\n${json}`],
    ['the second fence', `\`\`\`ts\nconst a = 1;\n\`\`\`\nso\n\`\`\`json\n${json}\n\`\`\``],
    ['chatty text', `I changed it's "name" {see below}: ${json} Hope {that} helps.`],
    ['text with a stray quote and bracket', `He said "no [\n${json}`],
    ['another object before it', `First {"a": 1} and then ${json}`],
    ['brackets that never close', `[[[{"a": ${json}`],
    ['text full of colour codes', `${'\u001b[31mred \u001b[0m'.repeat(100)}${json}`],
    ['pretty printed JSON', `Result:\n${JSON.stringify(value, null, 2)}\nDone.`],
    ['Windows line ends', `Here:\r\n\`\`\`json\r\n${json}\r\n\`\`\`\r\n`],
  ])('TFX-11 is found in %s', (_, text) => {
    expect(accepted(file, text)).toEqual(value);
  });

  it('TFX-11 finds a list in chatty text', () => {
    expect(accepted(builtInSchemas.file_list, 'Files: ["a.ts", "b [1].ts"].')).toEqual(['a.ts', 'b [1].ts']);
  });

  it('TFX-11 reports the first value that was found when none matches', () => {
    expect(refused(file, 'This: {"filePath": 1} or {}')).toEqual([
      "the output must have required property 'fileContent'",
      '/filePath must be string',
    ]);
  });

  it('TFX-11 says so when there is no JSON', () => {
    expect(refused(file, 'I could not do it.')).toEqual([
      'the output holds no JSON; it begins with "I could not do it."',
    ]);
    expect(refused(file, ' \n')).toEqual(['the output is empty; JSON is expected']);
    expect(refused(builtInSchemas.json, 'plain words')).toHaveLength(1);
    expect(refused(file, '{"filePath": "a.ts", "fileContent": "cut o')).toHaveLength(1);
  });

  it('TFX-11 names what is wrong and what would be right', () => {
    expect(refused({ type: 'object', properties: { a: { enum: ['x', 'y'] } } }, { a: 'z' })).toEqual([
      '/a must be equal to one of the allowed values: ["x","y"]',
    ]);
    expect(refused(file, { ...value, extra: 1 })).toEqual([
      'the output must NOT have additional properties: "extra"',
    ]);
    const many = refused(
      builtInSchemas.file_list,
      Array.from({ length: 1000 }, () => 1),
    );
    expect(many).toHaveLength(21);
    expect(many.at(-1)).toBe('and 980 more');
  });

  it('TFX-11 finds any value again, whatever chat is put around it', () => {
    const chat = fc.stringMatching(/^[A-Za-z .,!{}[\]'()\n]{0,40}$/);
    const object = fc.dictionary(fc.string(), fc.jsonValue()).map((inner) => ({ marker: 'M', inner }));
    const schema = { type: 'object', properties: { marker: { const: 'M' } }, required: ['marker', 'inner'] };
    fc.assert(
      fc.property(chat, object, chat, fc.boolean(), (before, wanted, after, pretty) => {
        const written = JSON.stringify(wanted, null, pretty ? 2 : 0);
        expect(accepted(schema, `${before} so ${written} ${after}`)).toEqual(JSON.parse(written));
      }),
      { numRuns: 500, seed: 13 },
    );
  });

  it('TFX-11 looks at a hostile text only so often', () => {
    const size = 200_000;
    for (const text of [
      '['.repeat(size),
      '{"a":'.repeat(size / 5),
      '[1,'.repeat(size / 3),
      '["'.repeat(size / 2),
    ]) {
      expect(refused(file, text)).toHaveLength(1);
    }
    expect(accepted(file, `${'[1,'.repeat(10)} ${json}`)).toEqual(value);
    expect(refused(file, `${'[1,'.repeat(400)} ${json}`)).toHaveLength(1);
  });
});

describe('plain text output', () => {
  const text = builtInSchemas.text;

  it.each([
    ['is kept', 'Hello\n', 'Hello\n'],
    ['that is JSON is not parsed', '{"a": 1}', '{"a": 1}'],
    ['loses a surrounding fence', '```md\n# Title\n```\n', '# Title'],
    ['loses a fence and its announcement', 'Here is the page:\n\n```md\n# Title\n```', '# Title'],
    [
      'keeps fences inside a surrounding one',
      '```md\nRun:\n```sh\nls\n```\nDone.\n```',
      'Run:\n```sh\nls\n```\nDone.',
    ],
    [
      'with code in it is kept',
      'Run this:\n```sh\nls\n```\nThen go home.',
      'Run this:\n```sh\nls\n```\nThen go home.',
    ],
    ['with two code blocks is kept', '```a\n1\n```\n```b\n2\n```', '```a\n1\n```\n```b\n2\n```'],
    [
      'that tells a story before its code is kept',
      'A title\n\nSome words:\n```\nx\n```',
      'A title\n\nSome words:\n```\nx\n```',
    ],
    ['with an open fence is kept', '```\nx', '```\nx'],
  ])('TFX-11 %s', (_, content, wanted) => {
    expect(accepted(text, content)).toBe(wanted);
  });

  it('TFX-11 may end in a blank line where the schema has an enum', () => {
    expect(accepted({ type: 'string', enum: ['yes', 'no'] }, 'yes\n')).toBe('yes');
    expect(refused({ type: 'string', enum: ['yes', 'no'] }, 'maybe')).toHaveLength(1);
  });

  it('TFX-11 must be text and say something', () => {
    expect(refused(text, { a: 1 })).toEqual(['the output must be string']);
    expect(refused(text, ' \n')).toHaveLength(1);
  });
});

describe('built-in schemas', () => {
  it('WRK-12 file_output and files describe files to write', () => {
    expect(accepted(builtInSchemas.file_output, json)).toEqual(value);
    expect(accepted(builtInSchemas.files, JSON.stringify([value]))).toEqual([value]);
    expect(refused(builtInSchemas.files, [{ filePath: '', fileContent: '' }])).toHaveLength(1);
    expect(refused(builtInSchemas.file_output, [value])).toEqual(['the output must be object']);
  });

  it('WRK-20 file_list is a list of paths, json is any JSON', () => {
    expect(refused(builtInSchemas.file_list, ['a', 1])).toEqual(['/1 must be string']);
    expect(accepted(builtInSchemas.json, '5')).toBe(5);
    expect(accepted(builtInSchemas.json, null)).toBe(null);
  });
});
