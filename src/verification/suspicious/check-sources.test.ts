import { describe, expect, it, test } from 'vitest';
import { changedSources, checkSources } from './check-sources.ts';

const reading = (files: { readonly [path: string]: string }) => async (path: string) => files[path];
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
