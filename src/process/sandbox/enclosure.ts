/** How much of the machine a child is kept from, the least first. */
export const SANDBOX_LEVELS = ['off', 'standard', 'strict'] as const;
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number];

/** All of it, nothing but the child's own loopback, or these hosts through a proxy. */
export type Network = 'host' | 'none' | readonly string[];

/** What one child may reach. Every path is absolute and behind all links. */
export interface Enclosure {
  /** The folder it works on, the only one of the project's that keeps what it writes. */
  readonly tree: string;
  /** Inside of the tree, but not the child's to change: `.git`, `.loopwright`. */
  readonly guarded: readonly string[];
  /** What it sees of the home folder, read-only. */
  readonly visible: readonly string[];
  /** Not shown at all: keys, sessions, sockets, other agents' logins. */
  readonly hidden: readonly string[];
  /** Read-only, although it lies in a hidden folder: programs, and our own package. */
  readonly shown: readonly string[];
  /** Written to beside the tree: the agent's own folder, what git keeps of a worktree, caches. */
  readonly writable: readonly Mount[];
  readonly home: string;
  /** Stands for the home folder and for /tmp; both end with the child. */
  readonly scratch: { readonly home: string; readonly tmp: string };
  readonly network: Network;
}

export interface Mount {
  readonly at: string;
  /** Another folder that stands for it. */
  readonly from?: string;
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** One statement about a place and all that is below it. */
export interface Layer {
  readonly as: 'scratch' | 'shown' | 'hidden' | 'writable';
  readonly at: string;
  /** Another folder that stands for it. */
  readonly from: string;
}

/**
 * What an enclosure says, in the order in which it is laid over one another: what is said about a place outweighs what
 * is said about a folder around it, so showing a folder never shows what is hidden inside of it.
 */
export function layersOf({ home, tree, scratch, ...said }: Enclosure): Layer[] {
  const all = (as: Layer['as'], paths: readonly string[]) => paths.map((at): Layer => ({ as, at, from: at }));
  const layers: Layer[] = [
    { as: 'scratch', at: '/tmp', from: scratch.tmp },
    { as: 'scratch', at: home, from: scratch.home },
    ...all('shown', said.visible),
    ...all('hidden', said.hidden),
    ...all('shown', said.shown),
    ...said.writable.map(({ at, from = at }): Layer => ({ as: 'writable', at, from })),
    ...all('writable', [tree]),
    ...all('shown', said.guarded),
  ];
  return layers.sort((a, b) => depth(a.at) - depth(b.at));
}

function depth(path: string): number {
  return path.split('/').filter((name) => name !== '').length;
}
