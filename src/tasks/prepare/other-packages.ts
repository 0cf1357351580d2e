import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { UsageError } from '../../kernel/errors.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { splitZ } from '../../workspace/git/tree-diff.ts';
import { type FreshTree, installCommand, setUp } from './make-ready.ts';

/** Where tools install what a project depends on. */
const INSTALLED = ['node_modules', '.venv'];

/** Files that say which packages a project needs. */
const DECLARES =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|requirements[^/]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|(?:uv|poetry|Cargo|Gemfile|composer)\.lock|Pipfile(?:\.lock)?|Cargo\.toml|go\.(?:mod|sum)|Gemfile|composer\.json)$/;

/** What a tree says of the packages that it needs; equal where the same ones are to be installed. */
export async function packagesOf(git: BoundGit, tree: string): Promise<string> {
  const { stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', tree]);
  return splitZ(stdout)
    .filter((line) => DECLARES.test(line.slice(line.indexOf('\t') + 1)))
    .join('\n');
}

/**
 * Makes a folder ready once more, for a tree that asks for other packages than the one it was made ready for: by the
 * setup of worktrees, else by what installs the packages of such a project. Never from the folder of the work, where
 * anything may have been put among them. Where that fails, the packages of the checkout stay and the checks speak.
 */
export async function setUpForPackages(
  config: Config,
  tree: FreshTree,
  cancel: AbortSignal | undefined,
): Promise<void> {
  await removeInstalled(join(tree.path, tree.prefix));
  const install = installCommand(join(tree.path, tree.prefix));
  const { worktrees } = config;
  const configured = worktrees.setup.length > 0 || !install;
  const setup = configured ? worktrees.setup : [install.join(' ')];
  try {
    await setUp({ ...config, worktrees: { ...worktrees, setup } }, tree, cancel);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

/** Takes away what was installed in the project's folder of a worktree. */
export async function removeInstalled(root: string): Promise<void> {
  const git = new BoundGit(root);
  for (const folder of INSTALLED) {
    const tracked = await git.out(['ls-files', '--', folder]);
    if (tracked === '') await rm(join(root, folder), { recursive: true, force: true });
  }
}
