import { type Enclosure, type Layer, layersOf } from './enclosure.ts';

/**
 * The profile of macOS's sandbox-exec for an enclosure. Later rules win there. A profile cannot put a folder in the
 * place of another one, so the home folder is closed but for what is shown, and the scratch folders are reached
 * through HOME and TMPDIR.
 */
export function seatbeltProfile(enclosure: Enclosure): string {
  const { home, scratch, network, writable, guarded } = enclosure;
  const rest = { ...enclosure, guarded: [] };
  const closed = [home, '/private/tmp', '/private/var/run'];
  const stand = [scratch.home, scratch.tmp, ...writable.map(({ at, from = at }) => from)];
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    ...closed.map((path) => ruleFor('hidden', path)),
    ...stand.map((path) => ruleFor('writable', path)),
    ...layersOf(rest).flatMap(({ as, at }) => (as === 'scratch' ? [] : [ruleFor(as, at)])),
    ...guarded.map((path) => `(deny file-write* (subpath ${quoted(path)}))`),
    ...(network === 'host' ? [] : ['(deny network*)', '(allow network* (local ip "localhost:*"))']),
    ...(network === 'host' ? [] : [`(allow network-outbound (subpath ${quoted(scratch.tmp)}))`]),
  ].join('\n');
}

function ruleFor(as: Exclude<Layer['as'], 'scratch'>, path: string): string {
  const place = `(subpath ${quoted(path)})`;
  if (as === 'hidden') return `(deny file-read* file-write* ${place})`;
  return as === 'shown' ? `(allow file-read* ${place})` : `(allow file-read* file-write* ${place})`;
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
