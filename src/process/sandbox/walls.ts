import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Environment } from '../child-env.ts';
import { findProgram } from '../find-program.ts';
import { isThere } from '../if-there.ts';
import { ownProgram } from '../own-program.ts';
import { runtimeFolder } from '../runtime-folder.ts';
import { type Enclosure, isInside, type Mount, type Network } from './enclosure.ts';
import { enclosureOf, real, type Surroundings } from './enclosure-of.ts';
import { loopbackPorts } from './host-list.ts';
import { HostProxy } from './host-proxy.ts';
import { inmatesOf } from './inmates.ts';
import type { Sandbox } from './sandbox.ts';

/** What one child works on and may reach. */
export interface ChildPlace {
  readonly tree: string;
  readonly network: Network;
  /** Of its own in the home folder: folders (`.../`) are written to, files are copied in, since programs replace them. */
  readonly own?: readonly string[];
}

/** A wall around one child, as the process layer puts it up. */
export interface Wall {
  enclose(argv: readonly string[], cwd: string, env: Environment): Promise<Enclosed>;
}

export interface Enclosed {
  readonly argv: readonly string[];
  readonly env: Environment;
  /** Who is behind it now. */
  inmates(): ReadonlySet<number>;
  /** Takes away what was made for the child; after it has ended. */
  close(): Promise<void>;
}

/**
 * The temporary folder of a child, below the one it has in place of /tmp: agents keep no programs of their own in the
 * temporary folder, and a home can lie in /tmp.
 */
const OWN_TMP = 't';

/** Puts walls around the children of one project. */
export class Walls {
  readonly #sandbox: Sandbox;
  readonly #around: Surroundings;
  readonly #refused: (host: string) => void;

  constructor(sandbox: Sandbox, around: Surroundings, refused: (host: string) => void = () => undefined) {
    this.#sandbox = sandbox;
    this.#around = { ...around, home: real(around.home), stateDir: real(around.stateDir) };
    this.#refused = refused;
  }

  /** Named in the evidence of every run. */
  get name(): string {
    return `${this.#sandbox.name}, ${this.#around.level}`;
  }

  around(place: ChildPlace): Wall {
    return { enclose: (argv, cwd, env) => this.#enclose(place, argv, cwd, env) };
  }

  async #enclose(
    place: ChildPlace,
    argv: readonly string[],
    cwd: string,
    env: Environment,
  ): Promise<Enclosed> {
    // Looked for out here: a program that is missing is told as such, not as a failure of the wall.
    const program = await findProgram(argv[0] ?? '', cwd, env);
    const base = join(this.#around.stateDir, 'tmp', `${process.pid}-${randomUUID()}`);
    const scratch = { home: join(base, 'home'), tmp: join(base, 'tmp') };
    const { cacheDir } = this.#around;
    const folders = [
      scratch.home,
      join(scratch.tmp, OWN_TMP),
      join(cacheDir, 'cache'),
      join(cacheDir, 'npm'),
    ];
    for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
    const gate =
      typeof place.network === 'string' ? undefined : await Gate.open(place.network, this.#refused);
    const { mounts, copied } = await this.#ownPlaces(place.own ?? [], scratch.home);
    const own = [...mounts, ...(gate ? [gate.mount] : [])];
    const enclosure = enclosureOf(this.#around, { ...place, program, env, own, copied, scratch });
    const words = [...(gate?.bridge ?? []), program, ...argv.slice(1)];
    return {
      argv: this.#sandbox.enclose(words, enclosure, real(cwd)),
      env: { ...env, ...this.#places(scratch) },
      inmates: () => inmatesOf(basename(base)),
      close: async () => {
        await gate?.close();
        await rm(base, { recursive: true, force: true });
      },
    };
  }

  /** Where a folder can be put in the place of another one, nothing has another name inside. */
  #places(scratch: Enclosure['scratch']): Environment {
    if (this.#sandbox.name === 'bubblewrap')
      return { HOME: this.#around.home, TMPDIR: join('/tmp', OWN_TMP) };
    return { HOME: scratch.home, TMPDIR: join(scratch.tmp, OWN_TMP) };
  }

  async #ownPlaces(own: readonly string[], scratchHome: string): Promise<OwnPlaces> {
    const { home } = this.#around;
    const mounts: Mount[] = [];
    const copied: string[] = [];
    for (const path of own) {
      if (path.endsWith('/')) {
        await mkdir(path, { recursive: true, mode: 0o700 });
        mounts.push({ at: real(path) });
      } else if (isInside(home, path)) {
        const copy = join(scratchHome, relative(home, path));
        await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
        if (await isThere(path)) await copyFile(path, copy);
        copied.push(path);
      } else if (await isThere(path)) {
        const copy = join(dirname(scratchHome), 'own', String(mounts.length));
        await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
        await copyFile(path, copy);
        mounts.push({ at: real(path), from: copy });
      }
    }
    return { mounts, copied };
  }
}

interface OwnPlaces {
  readonly mounts: readonly Mount[];
  readonly copied: readonly string[];
}

const INSIDE = '/tmp/.loopwright-net';

/** The way to a list of hosts: a proxy out here, its socket inside, and a program there that leads to it. */
class Gate {
  readonly mount: Mount;
  readonly bridge: readonly string[];
  readonly #proxy: HostProxy;
  readonly #folder: string;

  private constructor(folder: string, proxy: HostProxy, hosts: readonly string[]) {
    const socket = join(process.platform === 'linux' ? INSIDE : folder, 'proxy');
    this.#folder = folder;
    this.#proxy = proxy;
    this.mount = process.platform === 'linux' ? { at: INSIDE, from: folder } : { at: folder };
    const program = ownProgram('process/sandbox/bridge.js');
    this.bridge = [process.execPath, program, socket, loopbackPorts(hosts).join(',')];
  }

  static async open(hosts: readonly string[], refused: (host: string) => void): Promise<Gate> {
    // Short, because the path of a socket may have about a hundred bytes.
    const folder = await mkdtemp(join(real(runtimeFolder()), 'n-'));
    const proxy = new HostProxy(hosts, refused);
    await proxy.listen(join(folder, 'proxy'));
    return new Gate(folder, proxy, hosts);
  }

  async close(): Promise<void> {
    await this.#proxy.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
