import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** A word that starts a program, with git as the program. */
const STARTS_GIT = /(?:execFile|execFileSync|spawn|spawnSync|exec|fork|run|runFile)\(\s*\n?\s*['"`]git['"`]/;

it('git is started in one place, which is hardened', () => {
  const root = join(import.meta.dirname, '../../src');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\.ts$/.test(path),
  );
  expect(sources.length).toBeGreaterThan(100);
  const starts = sources.filter((path) => STARTS_GIT.test(readFileSync(join(root, path), 'utf8')));
  expect(starts).toEqual(['workspace/git/run-git.ts']);
});
