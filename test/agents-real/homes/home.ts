import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Cli } from '../installed.ts';
import { claudeHome } from './claude.ts';
import { cnHome } from './cn.ts';
import { codexHome } from './codex.ts';
import { copilotHome } from './copilot.ts';
import { geminiHome } from './gemini.ts';
import { opencodeHome } from './opencode.ts';
import { piHome } from './pi.ts';
import { qwenHome } from './qwen.ts';

/** What a CLI is told about the world in one test. */
export interface World {
  readonly home: string;
  readonly work: string;
  readonly modelUrl: string;
  /** `subscription`: signed in with an account whose use is limited by time. Only claude tells them apart. */
  readonly account: Account;
}

export type Account = 'key' | 'subscription';

/** The environment that the CLI needs on top of a plain one, and the files in its home, by their path in it. */
export interface Seed {
  readonly env: { readonly [name: string]: string };
  readonly files: { readonly [path: string]: string };
}

const seeds: { readonly [cli in Cli]: (world: World) => Seed } = {
  claude: claudeHome,
  codex: codexHome,
  gemini: geminiHome,
  opencode: opencodeHome,
  qwen: qwenHome,
  pi: piHome,
  copilot: copilotHome,
  cn: cnHome,
};

/** A home and a work folder that nothing else uses; the CLI sees no setting of this machine. */
export class Home {
  readonly work: string;
  readonly home: string;
  readonly #folder: string;

  /** By the CLI that it is for, or what several of them do in it. */
  constructor(name: string) {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), `loopwright-${name}-`)));
    this.home = join(this.#folder, 'home');
    this.work = join(this.#folder, 'work');
    mkdirSync(join(this.home, 'tmp'), { recursive: true });
    execFileSync('git', ['init', '--quiet', this.work]);
  }

  /** Writes the CLI's files for this model and returns the whole environment of its process. */
  settle(cli: Cli, bin: string, modelUrl: string, account: Account): { readonly [name: string]: string } {
    const seed = seeds[cli]({ home: this.home, work: this.work, modelUrl, account });
    for (const [path, content] of Object.entries(seed.files)) {
      mkdirSync(dirname(join(this.home, path)), { recursive: true });
      writeFileSync(join(this.home, path), content);
    }
    return {
      PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      HOME: this.home,
      TMPDIR: join(this.home, 'tmp'),
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ...seed.env,
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
