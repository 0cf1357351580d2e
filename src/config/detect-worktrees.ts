import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { hasWorkspaces, needsPackages } from './detect/package-json.ts';
import { detectInstall } from './detect-install.ts';

/** How a new worktree gets what the project depends on: taken from the checkout, or installed. */
export type FoundWorktrees = {
  /** What told so. */
  readonly from: string;
} & ({ readonly share: readonly string[] } | { readonly setup: readonly (readonly string[])[] });

/**
 * What a worktree of the project needs besides its files; undefined: nothing, as for Go and Rust, whose packages stand
 * outside of the tree.
 */
export function detectWorktrees(projectDir: string): FoundWorktrees | undefined {
  const share = foldersToShare(projectDir);
  if (share.length > 0) return { share, from: `${share.join(', ')} of the checkout` };
  const install = detectInstall(projectDir);
  if (needsPackages(projectDir)) return install && { setup: [install.command], from: install.from };
  if (install && PYTHON.has(install.command[0] ?? ''))
    return { setup: [install.command], from: install.from };
  return virtualEnvironment(projectDir);
}

const PYTHON: ReadonlySet<string> = new Set(['uv', 'poetry']);

/**
 * Folders of installed packages that a worktree can take over. Those of workspaces stand in many places, so they are
 * installed; an environment of Python knows its own path, so it is made anew.
 */
export function foldersToShare(projectDir: string): readonly string[] {
  if (!needsPackages(projectDir) || hasWorkspaces(projectDir)) return [];
  return isFolder(join(projectDir, PACKAGES)) ? [PACKAGES] : [];
}

const PACKAGES = 'node_modules';

function virtualEnvironment(projectDir: string): FoundWorktrees | undefined {
  const has = (name: string) => existsSync(join(projectDir, name));
  const from = ['requirements-dev.txt', 'requirements.txt'].find(has);
  if (from === undefined || !has('.venv/bin/python')) return undefined;
  const make = ['python3', '-m', 'venv', '.venv'];
  return { setup: [make, ['.venv/bin/python', '-m', 'pip', 'install', '-r', from]], from };
}

/** A link would lead into somebody else's folder. */
function isFolder(path: string): boolean {
  return existsSync(path) && lstatSync(path).isDirectory();
}
