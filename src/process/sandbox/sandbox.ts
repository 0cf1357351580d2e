import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { bubblewrapOptions } from './bubblewrap.ts';
import type { Enclosure } from './enclosure.ts';
import { seatbeltProfile } from './seatbelt.ts';

/** A wall that this machine can put around a child. */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'sandbox-exec';
  /** The command line that runs `argv`, whose first word is a path, inside of an enclosure. */
  enclose(argv: readonly string[], enclosure: Enclosure, cwd: string): readonly string[];
}

export type SandboxSearch =
  | { readonly sandbox: Sandbox }
  /** For people: why there is none, and what would help. */
  | { readonly sandbox: undefined; readonly why: string; readonly next: string };

/** Never looked for on the search path: a project can put things there. */
const BUBBLEWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];
const SEATBELT = '/usr/bin/sandbox-exec';

let found: Promise<SandboxSearch> | undefined;

/** What this machine can do; tried once, by really enclosing something. */
export function findSandbox(): Promise<SandboxSearch> {
  found ??= search();
  return found;
}

async function search(): Promise<SandboxSearch> {
  if (process.platform === 'darwin' && existsSync(SEATBELT)) return { sandbox: seatbelt };
  if (process.platform !== 'linux') {
    const next = 'Run it on Linux or macOS, or in a container or virtual machine of your own.';
    return { sandbox: undefined, why: `there is no sandbox for ${process.platform}`, next };
  }
  const bwrap = BUBBLEWRAP.find((path) => existsSync(path));
  if (bwrap === undefined) {
    const next = 'Install it, for example with: apt-get install bubblewrap';
    return { sandbox: undefined, why: 'bubblewrap is not installed', next };
  }
  const problem = await tryOut(bwrap);
  if (problem === undefined) return { sandbox: bubblewrap(bwrap) };
  const next =
    'Allow unprivileged user namespaces for it (kernel.unprivileged_userns_clone, AppArmor), or run in a container that has them.';
  return { sandbox: undefined, why: `bubblewrap does not work here: ${problem}`, next };
}

const TRIAL = ['--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

async function tryOut(bwrap: string): Promise<string | undefined> {
  try {
    await promisify(execFile)(bwrap, [...TRIAL, '--', '/bin/true'], { env: {} });
    return undefined;
  } catch (error) {
    const said = (error as { readonly stderr?: unknown }).stderr;
    return typeof said === 'string' && said.trim() !== '' ? said.trim() : String(error);
  }
}

function bubblewrap(program: string): Sandbox {
  return {
    name: 'bubblewrap',
    enclose: (argv, enclosure, cwd) => [program, ...bubblewrapOptions(enclosure, cwd), ...argv],
  };
}

const seatbelt: Sandbox = {
  name: 'sandbox-exec',
  enclose: (argv, enclosure) => [SEATBELT, '-p', seatbeltProfile(enclosure), ...argv],
};
