import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ROOM = 4 << 30;

/**
 * Folders of tests in memory, where the machine has room for them: nothing that is proven here depends on a disk being
 * slow, and half of what a repository costs is the file system. A TMPDIR that is set is left alone.
 */
export function useQuickTemp(): void {
  if (process.env['TMPDIR'] !== undefined || !isUsable()) return;
  process.env['TMPDIR'] = MEMORY;
}

/** Some machines have it small, or let nothing run from it. */
function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ROOM) return false;
    const folder = mkdtempSync(join(MEMORY, 'loopwright-probe-'));
    try {
      writeFileSync(join(folder, 'run'), '#!/bin/sh\n', { mode: 0o755 });
      execFileSync(join(folder, 'run'), { stdio: 'ignore' });
      return true;
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch {
    return false;
  }
}
