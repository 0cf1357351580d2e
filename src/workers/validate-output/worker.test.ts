import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { asFact, type ContextSegment, contentText, type ExecutionPayload } from '../../manifest/segment.ts';
import { fileWriter } from '../file-writer/worker.ts';
import type { WorkerServices } from '../services.ts';
import { contextFor, recordedRun, servicesFor } from '../testing.ts';
import { validateOutput } from './worker.ts';

/** TypeScript 7, which this project has, offers no parser to call; one of its tools brings an older one. */
const TYPESCRIPT = fileURLToPath(
  new URL('../../../node_modules/@arethetypeswrong/core/node_modules/typescript', import.meta.url),
);

let worktree: string;
beforeEach(() => {
  worktree = mkdtempSync(join(tmpdir(), 'lw-validate-'));
});
afterEach(() => rmSync(worktree, { recursive: true, force: true }));

const said = (content: JsonValue, id = 'said', type = 'CODE_OUTPUT'): ContextSegment => ({
  id,
  type,
  content,
});
const file = (filePath: string, fileContent: string, id = filePath) => said({ filePath, fileContent }, id);

function validate(
  payload: ExecutionPayload,
  more: Partial<WorkerServices> = {},
  parameters: JsonObject = {},
) {
  const worker = validateOutput(servicesFor(more));
  return worker.run(contextFor({ worktree, payload, with: parameters }), recordedRun());
}

async function added(
  payload: ExecutionPayload,
  more: Partial<WorkerServices> = {},
  parameters: JsonObject = {},
) {
  const { signal, new_payload } = await validate(payload, more, parameters);
  const [segment, ...others] = new_payload.slice(payload.length);
  expect(others).toEqual([]);
  return { signal, type: segment?.type, text: segment ? contentText(segment) : '' };
}

const textOf = ({ new_payload: [...all] }: { readonly new_payload: ExecutionPayload }) =>
  all.slice(-1).map(contentText).join('');

const withTypeScript = () => {
  mkdirSync(join(worktree, 'node_modules'));
  symlinkSync(TYPESCRIPT, join(worktree, 'node_modules', 'typescript'));
};

describe('Internal:ValidateOutput', () => {
  it('TFX-11 names each file, line and problem, and writes nothing', async () => {
    withTypeScript();
    const { signal, type, text } = await added([
      file('a.json', '{\n  "a": 1,\n}'),
      file('b.mjs', 'import a from "a";\nexport const b = ;\n'),
      file('c.cjs', 'const a = 1;\nconst a = 2;\n'),
      file('d.ts', 'const a: string = "x";\n\nfunction (\n'),
      file('e.py', 'def a():\n    return 1\ndef b(:\n'),
      file('f.yaml', 'on: push\njobs: [build\nname: x\n'),
      file('g.yml', 'a: 1\n---\nb: 1\nb: 2\n'),
      file('good.js', 'export default await 1;\n'),
    ]);
    expect({ signal, type }).toEqual({ signal: 'SIGNAL:VALIDATION_FAIL', type: 'VALIDATION_ERROR' });
    for (const place of [
      'a.json:3: ',
      'b.mjs:2: ',
      'c.cjs:2: ',
      'd.ts:3: ',
      'e.py:3: ',
      'f.yaml:3: ',
      'g.yml:4: ',
    ])
      expect(text).toContain(`\n- ${place}`);
    expect(text).not.toContain('good.js');
    expect(text).toContain('not written');
    expect(readdirSync(worktree)).toEqual(['node_modules']);
  });

  it('TFX-11 valid files pass, and what was looked at is told', async () => {
    withTypeScript();
    const { signal, type, text } = await added([
      file('a.json', '{ "a": [1] }'),
      file('script.js', '#!/usr/bin/env node\nif (process.argv[2]) return;\nmodule.exports = 1;\n'),
      file('module.js', 'import a from "a";\nexport default await a();\n'),
      file('view.js', 'export const View = () => <b>hello</b>;\n'),
      file('view.tsx', 'export const View = (p: { a: number }) => <b>{p.a}</b>;\n'),
      file('e.py', 'print("never run")\nraise SystemExit(1)\n'),
      file('ci.yml', 'a: &x { b: 1 }\nc: { <<: *x }\nd: !Ref Own\n---\ne: |\n  text: [\n'),
      file('notes.md', '# {'),
    ]);
    expect({ signal, type }).toEqual({ signal: 'SIGNAL:SUCCESS', type: 'VALIDATION_RESULT' });
    expect(text).toBe('The syntax is valid: a.json, ci.yml, script.js, module.js, view.js, view.tsx, e.py.');
  });

  it('says what nobody could parse, and why', async () => {
    const { signal, text } = await added([
      file('a.ts', 'const a: = 1'),
      file('chart/templates/b.yaml', 'a: 1\n{{- if .Values.x }}\nb: {{ .x }}\n{{- end }}\n'),
      file('tsconfig.json', '{ /* a comment */ }'),
      file('view.js', 'const view = <b>hello</b>;\n'),
      file('test/fixtures/broken.json', '{'),
    ]);
    expect(signal).toBe('SIGNAL:SUCCESS');
    expect(text.split('\n').sort()).toEqual([
      'Not checked, because it is a file for tests to work on: test/fixtures/broken.json.',
      'Not checked, because it is a template, and no YAML before it is filled in: chart/templates/b.yaml.',
      'Not checked, because it may be JSX, and the project has no TypeScript of its own that can parse it: view.js.',
      'Not checked, because it may hold comments: tsconfig.json.',
      'Not checked, because the project has no TypeScript of its own that can parse it: a.ts.',
    ]);
  });

  it('a missing Python is no problem of the file, and is told', async () => {
    const { signal, text } = await added([file('a.py', 'def (')], { baseEnv: { PATH: worktree } });
    expect({ signal, text }).toEqual({
      signal: 'SIGNAL:SUCCESS',
      text: 'Not checked, because python3 is not installed here: a.py.',
    });
  });

  it('names every segment that holds no file or leaves the tree, and newer ones answer them', async () => {
    const payload = [
      said('here is the code', 'seg-1'),
      file('../outside.js', '1', 'seg-2'),
      file('a.json', '{', 'seg-3'),
    ];
    const refused = await validate(payload);
    expect(refused.signal).toBe('SIGNAL:VALIDATION_FAIL');
    const text = textOf(refused);
    for (const name of ['seg-1', 'seg-2', 'outside.js', 'a.json:1: ']) expect(text).toContain(name);

    const still = await validate([...refused.new_payload, file('b.json', '1', 'seg-4')]);
    expect(still.signal).toBe('SIGNAL:VALIDATION_FAIL');
    const again = textOf(still);
    expect(again).toContain('a.json:1: ');
    expect(again).not.toContain('seg-1');

    const mended = [...still.new_payload, file('a.json', '{}', 'seg-5')];
    expect((await validate(mended)).signal).toBe('SIGNAL:SUCCESS');
    const written = await fileWriter(servicesFor()).run(
      contextFor({ worktree, payload: mended }),
      recordedRun(),
    );
    expect(written.signal).toBe('SIGNAL:SUCCESS');
    expect(readdirSync(worktree).sort()).toEqual(['a.json', 'b.json']);
  });

  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(worktree, path)), { recursive: true });
    writeFileSync(join(worktree, path), content);
  };

  it('checks the files that an agent has changed by itself', async () => {
    put('src/a.js', 'const a = ;\n');
    put('untouched.js', 'const b = ;\n');
    const tree = { changes: () => Promise.resolve(['src/a.js', 'removed.js']) };
    const found = await added([], { tree });
    expect(found.signal).toBe('SIGNAL:VALIDATION_FAIL');
    expect(found.text).toContain('The changed files are not valid:\n- src/a.js:1: ');
    expect(found.text).not.toContain('untouched');

    const seen = { id: 's', type: 'NEW_FILES_IDENTIFIED', content: ['src/a.js'] };
    expect((await added([asFact(seen)])).signal).toBe('SIGNAL:VALIDATION_FAIL');
    expect((await validate([seen])).signal).toBe('SIGNAL:SUCCESS');

    put('src/a.js', 'const a = 1;\n');
    expect((await added([], { tree })).text).toBe('The syntax is valid: src/a.js.');
  });

  it('a file that is about to be written over is judged by its new content', async () => {
    put('a.js', 'const a = ;\n');
    const tree = { changes: () => Promise.resolve(['a.js']) };
    expect((await added([file('a.js', 'const a = 1;\n')], { tree })).signal).toBe('SIGNAL:SUCCESS');
  });

  it('passes the payload on when there is nothing to check', async () => {
    const payload = [said('a note', 'n', 'NOTE')];
    expect(await validate(payload)).toEqual({ signal: 'SIGNAL:SUCCESS', new_payload: payload });
  });

  it('leaves out what a block names, and checks its parameters at load', async () => {
    const payload = [file('samples/broken.json', '{')];
    expect((await validate(payload, {}, { skip: ['samples/**'] })).signal).toBe('SIGNAL:SUCCESS');
    expect((await validate(payload, {}, { skip: ['other/**'] })).signal).toBe('SIGNAL:VALIDATION_FAIL');
    const worker = validateOutput(servicesFor());
    expect(worker.checkWith?.({ skip: ['a'], segment_types: ['CODE_OUTPUT'] })).toEqual([]);
    expect(worker.checkWith?.({ skip: 'a' })).toEqual(['"skip" must be a list of texts.']);
    expect(worker.checkWith?.({ skips: [] })[0]).toContain('Did you mean "skip"?');
  });
});
