import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Who is behind a wall, by a folder that only this wall has mounted. The system ends them with the first process in
 * there, but a moment after we hear of that one's end. Linux only: elsewhere nobody is seen.
 */
export function inmatesOf(folder: string): ReadonlySet<number> {
  if (process.platform !== 'linux') return new Set();
  const outside = namespaceOf('self');
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const inside = pids.filter((pid) => {
    const namespace = namespaceOf(pid);
    return namespace !== undefined && namespace !== outside && hasMounted(pid, folder);
  });
  return new Set(inside.map(Number));
}

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    // Gone since it was listed, or another user's.
    return undefined;
  }
}

function hasMounted(pid: string, folder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(folder);
  } catch {
    // As above.
    return false;
  }
}
