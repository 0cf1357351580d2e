import { foldersToShare } from '../../config/detect-worktrees.ts';
import type { OpenProject } from '../open.ts';
import type { SettingView } from './settings.ts';

/** What a new worktree begins with, configured or found. */
export function worktreeRows({ project, config: { worktrees } }: OpenProject): SettingView[] {
  const found = worktrees.unsaid ? foldersToShare(project.dir) : [];
  return [
    found.length > 0 ? row('share', found, 'detected') : row('share', worktrees.share),
    row('copy', worktrees.copy),
    row('setup', worktrees.setup.map(lineOf)),
    row('teardown', worktrees.teardown.map(lineOf)),
  ];
}

const MEANINGS = {
  share: 'dependency folders that a worktree shares with the checkout',
  copy: 'untracked files that are copied into a worktree',
  setup: 'run in a new worktree',
  teardown: 'run in a worktree before it is removed',
} as const;

function row(name: keyof typeof MEANINGS, value: readonly string[], source = 'file'): SettingView {
  return {
    key: `worktrees.${name}`,
    variable: '',
    value,
    source: value.length === 0 ? 'default' : source,
    default: [],
    meaning: MEANINGS[name],
  };
}

function lineOf(line: string | readonly string[]): string {
  return typeof line === 'string' ? line : line.map(quoted).join(' ');
}

/** So that whoever reads the line can tell its words apart. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
