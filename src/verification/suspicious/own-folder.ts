import { realpathSync } from 'node:fs';
import { errorCode } from '../../kernel/errors.ts';
import type { ChangedLines } from '../../workspace/git/diff-lines.ts';
import { kindOf } from './file-kinds.ts';
import type { SuspiciousChange } from './segment.ts';

/**
 * Lines, and links, that name the folder of the work itself: whatever they lead to is there in every checkout of this
 * machine, and nowhere else.
 */
export function ownFolderNamed(files: readonly ChangedLines[], folder: string): SuspiciousChange[] {
  const names = [...new Set([folder, realOf(folder)])];
  return files.flatMap(({ path, added }) => {
    const found = added.find(({ text }) => names.some((name) => text.includes(name)));
    if (!found || kindOf(path) === 'documentation') return [];
    const what = 'it names the folder that the work was done in, which is not delivered';
    return [{ rule: 'own_folder_named', weight: 'hard', path, line: found.line, what }];
  });
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return folder;
  }
}
