import { describe, expect, it, test } from 'vitest';
import { changedSources, checkSources } from './check-sources.ts';
import { kindsWith } from './file-kinds.ts';

const reading = (files: { readonly [path: string]: string }) => ({
  read: async (path: string) => files[path],
  list: async () => Object.keys(files),
});
const pack = (scripts: object) => JSON.stringify({ scripts });

describe('CHT-06 what a check runs', () => {
  it('is followed through scripts before and after, scripts of scripts, folders and files', async () => {
    const { steps, files } = await checkSources(
      ['npm test', 'cd api && pnpm run check'],
      reading({
        'package.json': pack({
          pretest: 'tsc',
          test: 'npm run unit && node scripts/e2e.mjs',
          unit: 'vitest run',
        }),
        'api/package.json': pack({ check: './bin/check.sh' }),
      }),
    );
    expect([...steps.keys()]).toEqual([
      'package.json scripts.pretest',
      'package.json scripts.test',
      'package.json scripts.unit',
      'api/package.json scripts.check',
    ]);
    expect([...files]).toEqual(['scripts/e2e.mjs', 'api/bin/check.sh']);
  });

  it('is followed through targets of make and what they need', async () => {
    const Makefile =
      'all: build\n\ntest: build lint\n\tpython3 tools/run.py --all\n\nlint:\n\t@eslint .\nbuild:\n\ttsc\n';
    const { steps, files } = await checkSources(['make test'], reading({ Makefile }));
    expect([...steps.keys()]).toEqual(['Makefile test', 'Makefile build', 'Makefile lint']);
    expect([...files]).toEqual(['tools/run.py']);
  });

  it('is followed into shell scripts and what they take in', async () => {
    const { files } = await checkSources(
      ['bash scripts/check.sh'],
      reading({
        'scripts/check.sh':
          '#!/bin/bash\nset -e\n. ./scripts/lib.sh\nif ! node scripts/unit.mjs | tee out; then exit 1; fi\n',
        'scripts/lib.sh': 'run() {\n  source scripts/more.bash\n}\n',
      }),
    );
    expect([...files]).toEqual([
      'scripts/check.sh',
      'scripts/lib.sh',
      'scripts/more.bash',
      'scripts/unit.mjs',
    ]);
  });

  it.each([
    ['npm test --prefix api', ['api']],
    ['npm --prefix=api run test', ['api']],
    ['pnpm -C api test', ['api']],
    ['npm test -w @x/api', ['api']],
    ['npm test --workspace web', ['web']],
    ['yarn workspace @x/api test', ['api']],
    ['pnpm --filter ./web test', ['web']],
    ['pnpm -r test', ['', 'api', 'web']],
    ['npm test -ws', ['', 'api', 'web']],
    ['yarn workspaces foreach -A run test', ['', 'api', 'web']],
  ])('is looked for in the packages that %s means', async (command, folders) => {
    const { steps } = await checkSources(
      [command],
      reading({
        'package.json': pack({ test: 'jest' }),
        'api/package.json': JSON.stringify({ name: '@x/api', scripts: { test: 'jest' } }),
        'web/package.json': JSON.stringify({ name: 'web', scripts: { test: 'jest' } }),
        'node_modules/web/package.json': pack({ test: 'no' }),
      }),
    );
    const path = (folder: string) => `${folder === '' ? '' : `${folder}/`}package.json scripts.test`;
    expect([...steps.keys()]).toEqual(folders.map(path));
  });

  test('a package that joins a workspace adds to its checks; one that changes or goes does not', async () => {
    const [api, web] = [pack({ test: 'jest' }), pack({ test: 'jest' })];
    const of = (files: { readonly [path: string]: string }) => checkSources(['pnpm -r test'], reading(files));
    const before = await of({ 'api/package.json': api });
    expect(changedSources(before, await of({ 'api/package.json': api, 'web/package.json': web }))).toEqual(
      [],
    );
    expect(changedSources(before, await of({ 'api/package.json': pack({ test: 'true' }) }))).toHaveLength(1);
    expect(changedSources(before, await of({ 'web/package.json': web }))).toMatchObject([
      { what: 'api/package.json scripts.test is gone; it was `jest`' },
    ]);
  });

  it('knows the module that python would find first, and files that a runner is handed as tests', async () => {
    const { files, tested } = await checkSources(
      ['python3 -m pytest -q checks/', 'node --test "verify/*.mjs" src', 'vitest run only/this'],
      reading({}),
    );
    expect([...files]).toEqual(['pytest.py', 'pytest/__init__.py', 'pytest/__main__.py']);
    expect([...tested]).toEqual(['checks/**', 'verify/*.mjs']);
    const kind = kindsWith({ scripts: new Set(['verify/a.mjs', 'run.mjs']), tested });
    expect(['verify/a.mjs', 'checks/b.py', 'run.mjs', 'src/a.ts'].map(kind)).toEqual([
      'test',
      'test',
      'script',
      'source',
    ]);
  });

  it('goes round in no circle', async () => {
    const { steps } = await checkSources(
      ['npm test'],
      reading({ 'package.json': pack({ test: 'npm run a', a: 'npm test' }) }),
    );
    expect(steps.size).toBe(2);
  });

  test('a script that another command uses is no business of this one', async () => {
    const before = await checkSources(
      ['npm test'],
      reading({ 'package.json': pack({ test: 'vitest run' }) }),
    );
    const same = { 'package.json': pack({ test: 'vitest run', start: 'node .' }) };
    expect(changedSources(before, await checkSources(['npm test'], reading(same)))).toEqual([]);
    const less = { 'package.json': pack({ test: 'vitest run src/ok' }) };
    expect(changedSources(before, await checkSources(['npm test'], reading(less)))).toMatchObject([
      {
        rule: 'check_changed',
        weight: 'hard',
        path: 'package.json',
        what: 'package.json scripts.test was `vitest run` and is `vitest run src/ok`',
      },
    ]);
    expect(changedSources(before, await checkSources(['npm test'], reading({})))).toMatchObject([
      { what: 'package.json scripts.test is gone; it was `vitest run`' },
    ]);
  });
});
