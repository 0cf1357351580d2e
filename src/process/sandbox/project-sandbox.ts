import { UsageError } from '../../kernel/errors.ts';
import type { ChildKind } from '../environment.ts';
import type { Network, SandboxLevel } from './enclosure.ts';
import type { Surroundings } from './enclosure-of.ts';
import { findSandbox, type SandboxSearch } from './sandbox.ts';
import { type Wall, Walls } from './walls.ts';

/** How the evidence begins where no wall stands. */
export const NO_SANDBOX = 'no sandbox';

export type Walled = Exclude<ChildKind, 'git' | 'remote'>;

export interface SandboxSettings extends Omit<Surroundings, 'level'> {
  readonly level: SandboxLevel;
  /** What each kind of child may reach; what an agent's own provider needs is added to its hosts. */
  readonly network: { readonly [kind in Walled]: Network };
}

/** What a child is and where it works. */
export interface WalledChild {
  readonly kind: Walled;
  readonly tree: string;
  readonly own?: readonly string[];
  readonly hosts?: readonly string[];
}

/** How the children of a project are kept in, and what is said about it. */
export interface SandboxPort {
  wallFor(child: WalledChild): Promise<Wall | undefined>;
  /** Which wall stands, or why none does: part of the evidence of every run. */
  evidence(): Promise<string>;
  /** Whether one stands. */
  isWalled(): Promise<boolean>;
}

/** The sandbox of this machine under the settings of a project; where there is none, that is said and not hidden. */
export class ProjectSandbox implements SandboxPort {
  readonly #settings: SandboxSettings;
  readonly #find: () => Promise<SandboxSearch>;
  readonly #refused: (host: string) => void;

  constructor(
    settings: SandboxSettings,
    refused: (host: string) => void = () => undefined,
    find: () => Promise<SandboxSearch> = findSandbox,
  ) {
    this.#settings = settings;
    this.#refused = refused;
    this.#find = find;
  }

  async wallFor({ kind, tree, own = [], hosts = [] }: WalledChild): Promise<Wall | undefined> {
    const walls = await this.#walls();
    const network = this.#settings.network[kind];
    const reach = typeof network === 'string' ? network : [...network, ...hosts];
    return walls?.around({ tree, network: reach.length === 0 ? 'none' : reach, own });
  }

  async evidence(): Promise<string> {
    if (this.#settings.level === 'off') return `${NO_SANDBOX}: it is switched off`;
    const found = await this.#find();
    return found.sandbox ? `${found.sandbox.name}, ${this.#settings.level}` : `${NO_SANDBOX}: ${found.why}`;
  }

  async isWalled(): Promise<boolean> {
    return (await this.#walls()) !== undefined;
  }

  async #walls(): Promise<Walls | undefined> {
    const { level } = this.#settings;
    if (level === 'off') return undefined;
    const found = await this.#find();
    const { sandbox } = found;
    if (!found.sandbox && level === 'strict') {
      throw new UsageError(`Nothing is started: the sandbox is to be strict, and ${found.why}.`, {
        next: `${found.next} Or ask for the sandbox "standard", which goes on without one and says so.`,
      });
    }
    return sandbox && new Walls(sandbox, { ...this.#settings, level }, this.#refused);
  }
}
