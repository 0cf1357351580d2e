import { lstatSync } from 'node:fs';
import { type Enclosure, type Layer, layersOf } from './enclosure.ts';

/** Sockets and run-time files of the machine and of its users: docker, the session bus, key agents. */
const RUNTIME_FOLDERS = ['/run', '/var/run', '/var/tmp'];
/** With the network of the machine its names must be found too. */
const NAME_SERVICES = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager'];

/** It ends with us, and with it everything that it started. */
const ALONE = [
  '--die-with-parent',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
];
const MACHINE = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

type Kind = 'folder' | 'file' | undefined;

/** The options of bubblewrap for an enclosure. They are carried out in their order, so the machine comes first. */
export function bubblewrapOptions(
  enclosure: Enclosure,
  cwd: string,
  kindOf: (path: string) => Kind = kindOfPath,
): string[] {
  const isHost = enclosure.network === 'host';
  return [
    ...ALONE,
    ...(isHost ? [] : ['--unshare-net']),
    ...MACHINE,
    ...RUNTIME_FOLDERS.flatMap((path) => (kindOf(path) === 'folder' ? ['--tmpfs', path] : [])),
    ...(isHost ? NAME_SERVICES.flatMap((path) => (kindOf(path) ? ['--ro-bind-try', path, path] : [])) : []),
    ...layersOf(enclosure).flatMap((layer) => laid(layer, kindOf)),
    '--chdir',
    cwd,
    '--',
  ];
}

/** What is not there can be neither shown nor hidden. */
function laid({ as, at, from }: Layer, kindOf: (path: string) => Kind): string[] {
  const kind = kindOf(as === 'scratch' ? at : from);
  if (kind === undefined) return [];
  switch (as) {
    case 'scratch':
    case 'writable':
      return ['--bind', from, at];
    case 'shown':
      // Tried: what is in the home of a person can go between the look and the start.
      return ['--ro-bind-try', from, at];
    case 'hidden':
      return kind === 'folder' ? ['--tmpfs', at] : ['--ro-bind', '/dev/null', at];
  }
}

/** A link is not followed: what it points to is hidden or shown by its own name. */
function kindOfPath(path: string): Kind {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink()) return undefined;
  return stat.isDirectory() ? 'folder' : 'file';
}
