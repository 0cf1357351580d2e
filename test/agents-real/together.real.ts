import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Account, Home } from './homes/home.ts';
import { type Cli, installedClis } from './installed.ts';
import { ModelServer } from './model-server/server.ts';

const COMMAND = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist/bin/loopwright.js');

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** A repository and a home in which several CLIs are at home, each with a model of its own on the same server. */
class Place {
  readonly home = new Home('together');
  readonly #server: ModelServer;
  readonly #env: { [name: string]: string } = {};

  constructor(server: ModelServer) {
    this.#server = server;
    this.write({ 'README.md': '# A project\n' });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: this.home.work });
    git('add', '--all');
    git('-c', 'user.name=t', '-c', 'user.email=t@t.example', 'commit', '--quiet', '-m', 'start');
  }

  add(cli: Cli, scenario = 'ok', account: Account = 'key'): void {
    const url = this.#server.url(scenario, cli);
    Object.assign(this.#env, this.home.settle(cli, installedClis().bin, url, account));
  }

  write(files: { readonly [path: string]: unknown }, folder = this.home.work): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(join(folder, path), text);
    }
  }

  start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
    const env = { ...this.#env, LOOPWRIGHT_TRUST: '1', LOOPWRIGHT_SANDBOX: 'off', LOCAL_KEY: 'not-a-key' };
    const child = spawn(process.execPath, [COMMAND, ...args], { cwd: this.home.work, env });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (out += String(data)));
    const ended = new Promise<Ended>((resolve) => {
      child.once('exit', (code) => resolve({ code, out }));
    });
    return { child, ended };
  }

  async loopwright(...args: string[]): Promise<Ended> {
    return this.start(...args).ended;
  }
}

function then(action: string) {
  return [
    { on_signal: 'SIGNAL:SUCCESS', action },
    { on_signal: 'SIGNAL:FAIL_DEFAULT', action: 'HALT_AND_FLAG' },
  ];
}

function work(name: string): string {
  return `FILE=${name}.txt CONTENT=word write it`;
}

describe('together', () => {
  let server: ModelServer;
  let place: Place;

  beforeEach(async () => {
    server = await ModelServer.start();
    place = new Place(server);
  });
  afterEach(async () => {
    await server.close();
    place.home.remove();
  });

  it('four CLIs work in one stage, and all that they were served is counted', async () => {
    const clis = ['claude', 'codex', 'qwen', 'pi'] as const;
    for (const cli of clis) place.add(cli);
    const tasks = clis.map((cli) => ({
      id: cli,
      adapter: cli,
      executionMode: 'headless',
      prompt: `FILE=${cli}.txt CONTENT=${cli} write it`,
    }));
    place.write({ 'four.json': { id: 'four', concurrency: 4, stages: [{ tasks }] } });
    const { code, out } = await place.loopwright('pipeline', 'four.json');
    expect(code, out).toBe(0);
    const shown = JSON.parse((await place.loopwright('show', '--json')).out) as {
      worktree: string;
      used: { tokens: number };
    };
    for (const cli of clis) {
      expect(readFileSync(join(shown.worktree, `${cli}.txt`), 'utf8')).toBe(`${cli}\n`);
    }
    const served = clis
      .map((cli) => server.log.usage(cli))
      .reduce((sum, { input, output }) => sum + input + output, 0);
    expect(served).toBeGreaterThan(0);
    expect(shown.used.tokens).toBe(served);
  });

  it.each(['claude', 'codex', 'opencode', 'pi'] as const)(
    'after kill -9 the conversation with %s goes on, with the files it had',
    async (cli) => {
      place.add(cli, 'hang-after-1');
      place.write({
        'flow.json': {
          workers: { Coder: { agent: cli } },
          nodes: {
            Main: {
              entry_block: 'Work',
              blocks: { Work: { worker: 'Coder', instructions: work('half'), transitions: then('RETURN') } },
            },
          },
        },
      });
      const killed = place.start('run', 'go', '-w', 'flow.json');
      await server.log.until(cli, ({ outcome }) => outcome === 'silence');
      killed.child.kill('SIGKILL');
      await killed.ended;
      const looked = await place.loopwright('ps');
      expect(looked.out).toContain(`when ${cli} was at work at Main__Work`);
      const tree = async () =>
        (JSON.parse((await place.loopwright('show', '--json')).out) as { worktree: string }).worktree;
      place.write({ 'beside.txt': 'what it had made besides\n' }, await tree());
      const before = server.log.of(cli).length;
      place.add(cli);
      const resumed = await place.loopwright('resume');
      expect(resumed.code, resumed.out).toBe(0);
      const asked = server.log.of(cli).slice(before);
      // Its own conversation: what it was told and did before stands in it.
      const first = asked.find(({ tools }) => tools.length > 0);
      expect(first?.prompts.filter((said) => said.includes('FILE=half.txt')).length).toBeGreaterThan(1);
      expect(readFileSync(join(await tree(), 'half.txt'), 'utf8')).toBe('word\n');
      expect(existsSync(join(await tree(), 'beside.txt'))).toBe(true);
    },
  );

  it('a spent quota moves the work from claude to codex to a model, and back when it is there again', async () => {
    place.add('claude', 'usage-times-1-reset-3', 'subscription');
    place.add('codex', 'usage');
    const local = { baseUrl: `${server.url('ok', 'model')}/v1`, keys: ['LOCAL_KEY'] };
    place.write({ '.config/loopwright/config.json': { providers: { local } } }, place.home.home);
    const argv = ['node', '-e', 'setTimeout(() => {}, 4000)'];
    place.write({
      'flow.json': {
        workers: { Coder: { agents: ['claude', 'codex', 'local/fake-model'] } },
        nodes: {
          Main: {
            entry_block: 'First',
            blocks: {
              First: { worker: 'Coder', instructions: work('first'), transitions: then('JUMP:Rest') },
              // Longer than the quota of claude is spent.
              Rest: { worker: 'Internal:Command', with: { argv }, transitions: then('JUMP:Second') },
              Second: { worker: 'Coder', instructions: work('second'), transitions: then('RETURN') },
            },
          },
        },
      },
    });
    const { code, out } = await place.loopwright('run', 'go', '-w', 'flow.json');
    expect(code, out).toBe(0);
    expect(out).toContain('codex takes over from claude');
    expect(out).toContain('local/fake-model takes over from codex');
    expect(server.log.of('codex').every(({ outcome }) => outcome === 429)).toBe(true);
    expect(server.log.of('model').map(({ outcome }) => outcome)).toContain('answer');
    const claude = server.log.of('claude').filter(({ tools }) => tools.length > 0);
    expect(claude.map(({ outcome }) => outcome)).toEqual([429, 'answer', 'answer']);
    const { worktree } = JSON.parse((await place.loopwright('show', '--json')).out) as { worktree: string };
    expect(existsSync(join(worktree, 'second.txt'))).toBe(true);
  });
});
