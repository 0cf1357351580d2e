import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forgetStray, noteUnmade, readUnmade } from './unmade-worktree.ts';

test('the note of a run that died before its session began is removed, any other stays', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopwright-unmade-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  forgetStray({ folder }, () => false);
  for (const id of ['WANTED', 'STRAY']) noteUnmade({ folder }, id, { base: 'main', followsBase: true });
  forgetStray({ folder }, (id) => id === 'WANTED');
  expect(readUnmade({ folder }, 'WANTED')).toEqual({ base: 'main', followsBase: true });
  expect(readUnmade({ folder }, 'STRAY')).toBeUndefined();
});
