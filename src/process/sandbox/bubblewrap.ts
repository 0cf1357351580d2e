import { lstatSync } from 'node:fs';
import { type Enclosure, isInside } from './enclosure.ts';

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

/**
 * The options of bubblewrap for an enclosure. They are carried out in their order, so what is laid over comes after
 * what it lies over: the machine read-only, a scratch home and /tmp, what is seen of the home, what is hidden, what is
 * shown all the same, what is writable, and last what is hidden or guarded inside of that.
 */
export function bubblewrapOptions(
  enclosure: Enclosure,
  cwd: string,
  kindOf: (path: string) => Kind = kindOfPath,
): string[] {
  const { home, tree, scratch, network, visible, shown, writable, hidden, guarded } = enclosure;
  // Tried: what is in the home of a person can go between the look and the start.
  const seen = (paths: readonly string[]) =>
    paths.flatMap((path) => (kindOf(path) === undefined ? [] : ['--ro-bind-try', path, path]));
  const hides = (paths: readonly string[]) => paths.flatMap((path) => hide(path, kindOf(path)));
  const [within, beside] = parted(hidden, (path) => isInside(tree, path));
  return [
    ...ALONE,
    ...(network === 'host' ? [] : ['--unshare-net']),
    ...MACHINE,
    ...RUNTIME_FOLDERS.flatMap((path) => (kindOf(path) === 'folder' ? ['--tmpfs', path] : [])),
    ...(network === 'host' ? seen(NAME_SERVICES) : []),
    '--bind',
    scratch.tmp,
    '/tmp',
    ...(kindOf(home) === 'folder' ? ['--bind', scratch.home, home] : []),
    ...seen(visible),
    ...hides(beside),
    ...seen(shown),
    ...writable.flatMap(({ at, from = at }) => (kindOf(from) === undefined ? [] : ['--bind', from, at])),
    '--bind',
    tree,
    tree,
    ...hides(within),
    ...seen(guarded),
    '--chdir',
    cwd,
    '--',
  ];
}

function hide(path: string, kind: Kind): string[] {
  if (kind === undefined) return [];
  return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}

function parted<T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] {
  return [values.filter(test), values.filter((value) => !test(value))];
}

/** A link is not followed: what it points to is hidden or shown by its own name. */
function kindOfPath(path: string): Kind {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink()) return undefined;
  return stat.isDirectory() ? 'folder' : 'file';
}
