import { HotFolders } from './hot-folders.ts';

const LOOK_EVERY_MS = 250;

/** Tells when a file has grown, soon after it has. */
export function watchLog(folder: string, size: () => string, tell: () => void): () => void {
  let seen = size();
  const look = (): void => {
    const now = size();
    if (now === seen) return;
    seen = now;
    tell();
  };
  const folders = new HotFolders(look);
  folders.add(folder);
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    folders.close();
  };
}
