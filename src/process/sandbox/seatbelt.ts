import { type Enclosure, isInside } from './enclosure.ts';

/**
 * The profile of macOS's sandbox-exec for an enclosure. Later rules win there. A profile cannot put a folder in the
 * place of another one, so the home folder is closed but for what is shown, and the scratch folders are reached
 * through HOME and TMPDIR.
 */
export function seatbeltProfile(enclosure: Enclosure): string {
  const { home, tree, scratch, network, visible, shown, writable, hidden, guarded } = enclosure;
  const places = [tree, scratch.home, scratch.tmp, ...writable.map(({ at, from = at }) => from)];
  const closed = [home, '/private/tmp', '/private/var/run'];
  const deny = (path: string) => `(deny file-read* file-write* (subpath ${quoted(path)}))`;
  const show = (path: string) => `(allow file-read* (subpath ${quoted(path)}))`;
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    ...closed.map(deny),
    ...visible.map(show),
    ...hidden.map(deny),
    ...shown.map(show),
    ...places.map((path) => `(allow file-read* file-write* (subpath ${quoted(path)}))`),
    ...hidden.filter((path) => isInside(tree, path)).map(deny),
    ...guarded.map((path) => `(deny file-write* (subpath ${quoted(path)}))`),
    ...(network === 'host' ? [] : ['(deny network*)', '(allow network* (local ip "localhost:*"))']),
    ...(network === 'host' ? [] : [`(allow network-outbound (subpath ${quoted(scratch.tmp)}))`]),
  ].join('\n');
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
