import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needsPackages } from './detect/package-json.ts';
import { detectInstall } from './detect-install.ts';
import { worktreeSettings } from './load-config.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lw-install-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('what installs a project', () => {
  it.each([
    [['package.json', 'package-lock.json'], 'npm ci'],
    [['package.json', 'pnpm-lock.yaml'], 'pnpm install --frozen-lockfile'],
    [['package.json', 'yarn.lock'], 'yarn install --frozen-lockfile'],
    [['package.json', 'yarn.lock', '.yarnrc.yml'], 'yarn install --immutable'],
    [['package.json'], 'npm install'],
    [['pyproject.toml', 'uv.lock'], 'uv sync --locked'],
    [['Cargo.toml', 'Cargo.lock'], 'cargo fetch --locked'],
    [[], undefined],
  ])('%j: %s', (files, command) => {
    for (const file of files) writeFileSync(join(dir, file), file === 'package.json' ? '{}' : '');
    expect(detectInstall(dir)?.command.join(' ')).toBe(command);
  });
});

it.each([
  ['{}', false],
  ['{ "dependencies": {} }', false],
  ['{ "devDependencies": { "vitest": "4" } }', true],
  ['{ "workspaces": ["packages/*"] }', true],
  ['not JSON', false],
])('a package.json of %s needs packages: %s', (text, needed) => {
  writeFileSync(join(dir, 'package.json'), text);
  expect(needsPackages(dir)).toBe(needed);
});

it('CFG-10 LOCAL_WORKTREE_ROOT is where worktrees go', () => {
  expect(worktreeSettings({}, { LOCAL_WORKTREE_ROOT: '/else/where' }).root).toBe('/else/where');
  expect(worktreeSettings({}, { LOCAL_WORKTREE_ROOT: '' })).toEqual({
    setup: [],
    teardown: [],
    copy: [],
    share: [],
    unsaid: true,
  });
});
