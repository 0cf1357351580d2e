import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Files of a hard-linked folder that were written into after they were shared, so that the checkout sees the
 * change too. Told by the file's own date: a tool that sets dates back is not found.
 */
export async function writtenInPlace(folder: string, sharedAt: number, below = ''): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) found.push(...(await writtenInPlace(folder, sharedAt, path)));
    else if (entry.isFile()) {
      const { nlink, mtimeMs } = await lstat(join(folder, path));
      if (nlink > 1 && mtimeMs >= sharedAt) found.push(path);
    }
  }
  return found;
}
