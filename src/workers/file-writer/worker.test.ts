import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { createMasker } from '../../kernel/mask.ts';
import type { ContextSegment, ExecutionPayload } from '../../manifest/segment.ts';
import { folderTree } from '../../verification/testing.ts';
import type { WriteFile } from '../../workspace/tree-writer.ts';
import { internalWorkers } from '../catalogue.ts';
import { contextFor, fakeProcesses, recordedRun, servicesFor } from '../testing.ts';
import { fileWriter } from './worker.ts';

let folder: string;
let worktree: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lw-write-'));
  worktree = join(folder, 'tree');
  await mkdir(worktree);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const code = (id: string, content: JsonValue, type = 'CODE_OUTPUT'): ContextSegment => ({
  id,
  type,
  content,
});
const file = (filePath: string, fileContent = 'x') => ({ filePath, fileContent });
const read = (path: string) => readFile(join(worktree, path), 'utf8');

function write(
  payload: ExecutionPayload,
  more: { with?: JsonObject; treeWriter?: WriteFile; secrets?: string[] } = {},
) {
  const { treeWriter, secrets = [] } = more;
  const masker = createMasker(secrets);
  const worker = fileWriter(treeWriter ? { masker, treeWriter } : { masker });
  return worker.run(contextFor({ worktree, payload, with: more.with ?? {} }), recordedRun());
}

/** Remembers what it should write; rejects for one path. */
function recordingWriter(failing?: string) {
  const calls: string[][] = [];
  const treeWriter: WriteFile = (_, path, content) => {
    calls.push([path, content]);
    const error = Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' });
    return failing !== undefined && path.endsWith(failing) ? Promise.reject(error) : Promise.resolve();
  };
  return { treeWriter, calls };
}

describe('Internal:FileSystemWriter', () => {
  it('WRK-11 is the only worker that writes what a model said: the others leave every file as it was', async () => {
    const { treeWriter, calls } = recordingWriter();
    const { processes } = fakeProcesses();
    await writeFile(join(worktree, 'a.ts'), 'before');
    const workers = internalWorkers(servicesFor({ treeWriter, processes, taskTree: folderTree(worktree) }));
    const payload = [
      code('1', file('a.ts', 'said')),
      { id: '2', type: 'NEW_FILES_IDENTIFIED', content: ['b.ts'] },
      { id: '3', type: 'MODEL_OUTPUT', content: JSON.stringify(file('c.ts', 'said')) },
    ];
    const parameters = { command: 'true', question: 'ok?', path: 'd.ts', file: 'd.ts' };
    const names = workers.names?.() ?? [];
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      if (name === 'Internal:FileSystemWriter') continue;
      await workers
        .get(name)
        ?.run(contextFor({ worktree, payload, with: parameters }), recordedRun({ answer: 'yes' }));
      expect({ name, calls, files: await readdir(worktree) }).toEqual({ name, calls: [], files: ['a.ts'] });
      expect({ name, content: await read('a.ts') }).toEqual({ name, content: 'before' });
    }
    await workers.get('Internal:FileSystemWriter')?.run(contextFor({ worktree, payload }), recordedRun());
    expect(calls).toEqual([[expect.stringContaining('a.ts'), 'said']]);
  });

  it('WRK-11 no other worker has a way to write a file: none imports one', async () => {
    const folders = await readdir(new URL('..', import.meta.url), { recursive: true });
    const sources = folders.filter((name) => name.endsWith('.ts') && !/(test|testing)\.ts$/.test(name));
    const writing: string[] = [];
    for (const name of sources) {
      const source = await readFile(new URL(`../${name}`, import.meta.url), 'utf8');
      const written =
        /\b(writeFile|appendFile|createWriteStream|rename|cp|copyFile)(Sync)?\b|tree-writer/.test(
          source.replaceAll(/^\s*(\/\/|\*|\/\*|import type ).*$/gm, ''),
        );
      if (written) writing.push(name.replaceAll('\\', '/'));
    }
    expect(writing.filter((name) => !name.includes('file-writer'))).toEqual([]);
    expect(writing).not.toEqual([]);
  });

  it('WRK-12 selects the segments that are meant for writing', async () => {
    const payload = [
      code('1', file('a.ts')),
      code('2', file('docs/a.md'), 'DOCUMENTATION_OUTPUT'),
      code('3', file('no.ts'), 'TEST_RESULT'),
    ];
    expect((await write(payload)).signal).toBe('SIGNAL:SUCCESS');
    expect((await readdir(worktree, { recursive: true })).sort()).toEqual(['a.ts', 'docs', 'docs/a.md']);
  });

  it('WRK-12 other types by option', async () => {
    await write([code('1', file('a.ts')), code('2', file('b.ts'), 'PATCH')], {
      with: { segment_types: ['PATCH'] },
    });
    expect(await readdir(worktree)).toEqual(['b.ts']);
  });

  it.each([
    ['a value', file('src/a.ts', 'x')],
    ['JSON text', JSON.stringify(file('src/a.ts', 'x'))],
  ])('WRK-13 takes path and content from %s', async (_, content) => {
    await write([code('1', content)]);
    expect(await read('src/a.ts')).toBe('x');
  });

  it.each(['here is the code', {}, { filePath: 'a.ts' }, { filePath: 1, fileContent: 'x' }, null, ['a.ts']])(
    'WRK-13 content %j is a failure that names the segment',
    async (content) => {
      const payload = [code('good', file('b.ts')), code('seg-7', content)];
      const result = await write(payload);
      expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, {}, { type: 'ERROR' }] });
      expect(result.new_payload.at(-1)?.content).toContain('seg-7');
      expect(await readdir(worktree)).toEqual([]);
    },
  );

  it('WRK-13 a refused segment does not fail the cycle for ever once newer ones answer it', async () => {
    const first = [code('bad', 'prose')];
    const refused = await write(first);
    expect((await write(refused.new_payload)).signal).toBe('SIGNAL:FAILURE');
    const corrected = [...refused.new_payload, code('good', file('a.ts', 'fixed'))];
    expect((await write(corrected)).signal).toBe('SIGNAL:SUCCESS');
    expect(await read('a.ts')).toBe('fixed');
  });

  it('WRK-14 gives the write service the joined path and the content', async () => {
    const { treeWriter, calls } = recordingWriter();
    await write([code('1', file('src/a.ts', 'content'))], { treeWriter });
    expect(calls).toEqual([[join(worktree, 'src/a.ts'), 'content']]);
  });

  it.each([
    '../x',
    '/etc/x',
    'a/../../x',
    '',
    '.',
    'a/',
    '.git/config',
    '.GIT/hooks/pre-commit',
    'a\0b',
    'a\\..\\b',
  ])('WRK-15 writes nothing for the path %j', async (path) => {
    const result = await write([code('0', file('fine.ts')), code('1', file(path))]);
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, {}, { type: 'ERROR' }] });
    expect(await readdir(folder, { recursive: true })).toEqual(['tree']);
  });

  it('WRK-15 writes nothing through a symlink that leaves the worktree', async () => {
    await mkdir(join(folder, 'outside'));
    await symlink('../outside', join(worktree, 'way-out'));
    await symlink('../outside/file', join(worktree, 'file'));
    for (const path of ['way-out/x', 'file']) {
      const result = await write([code('1', file(path))]);
      expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, { type: 'ERROR' }] });
    }
    expect(await readdir(join(folder, 'outside'))).toEqual([]);
  });

  it('WRK-16 stops at the first write that fails', async () => {
    const { treeWriter, calls } = recordingWriter('b.ts');
    await write([code('1', file('a.ts')), code('2', file('b.ts')), code('3', file('c.ts'))], { treeWriter });
    expect(calls.map(([path]) => path)).toEqual([join(worktree, 'a.ts'), join(worktree, 'b.ts')]);
  });

  it('WRK-17 passes the payload on unchanged', async () => {
    const payload = [{ id: '0', type: 'NOTE', content: 'n' }, code('1', file('a.ts'))];
    expect(await write(payload)).toEqual({ signal: 'SIGNAL:SUCCESS', new_payload: payload });
  });

  it('WRK-18 a failing write is a failure with the detail and what was written before', async () => {
    const { treeWriter } = recordingWriter('b.ts');
    const result = await write([code('1', file('a.ts')), code('2', file('b.ts'))], { treeWriter });
    expect(result.signal).toBe('SIGNAL:FAILURE');
    const last = result.new_payload.at(-1);
    expect(last).toMatchObject({ type: 'ERROR' });
    expect(last?.content).toMatch(/b\.ts could not be written: EACCES.*Already written: a\.ts/);
  });

  it('WRK-19 handles several segments', async () => {
    await write([
      code('1', file('a.ts', '1')),
      code('2', file('b/b.ts', '2')),
      code('3', file('b/c/c.ts', '3')),
    ]);
    expect([await read('a.ts'), await read('b/b.ts'), await read('b/c/c.ts')]).toEqual(['1', '2', '3']);
  });

  it('WRK-19 succeeds when there is nothing to write', async () => {
    expect(await write([])).toEqual({ signal: 'SIGNAL:SUCCESS', new_payload: [] });
  });

  it('WRK-19 writes a path once, with its newest content', async () => {
    const { treeWriter, calls } = recordingWriter();
    const payload = [
      code('1', file('a.ts', 'old')),
      code('2', file('b.ts', 'b')),
      code('3', file('./a.ts', 'new')),
    ];
    await write(payload, { treeWriter });
    expect(calls).toEqual([
      [join(worktree, 'b.ts'), 'b'],
      [join(worktree, 'a.ts'), 'new'],
    ]);
  });

  it('refuses to write a secret into a file', async () => {
    const result = await write([code('1', file('a.ts', 'key = "s3cr3t-s3cr3t"'))], {
      secrets: ['s3cr3t-s3cr3t'],
    });
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, { type: 'ERROR' }] });
    expect(JSON.stringify(result.new_payload[1])).not.toContain('s3cr3t-s3cr3t');
    expect(await readdir(worktree)).toEqual([]);
  });

  it('WRK-03 fails without a worktree', async () => {
    const result = await fileWriter(servicesFor()).run(
      contextFor({ payload: [code('1', file('a'))] }),
      recordedRun(),
    );
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{}, { type: 'ERROR' }] });
  });

  it('checks its parameters at load', () => {
    const worker = fileWriter(servicesFor());
    expect(worker.checkWith?.({})).toEqual([]);
    expect(worker.checkWith?.({ segment_types: 'CODE' })).toEqual([
      '"segment_types" must be a list of texts.',
    ]);
    expect(worker.checkWith?.({ segment_type: [] })[0]).toContain('Did you mean "segment_types"?');
  });
});
