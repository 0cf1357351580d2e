import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasker } from '../../kernel/mask.ts';
import { runProcess } from '../run.ts';
import type { Network } from './enclosure.ts';
import { findSandbox } from './sandbox.ts';
import { Walls } from './walls.ts';

const { sandbox } = await findSandbox();
// A machine without one is a fact that `doctor` and every run tell; the gate of the project installs it.
const there = sandbox === undefined ? describe.skip : describe;

there('a wall around a child', () => {
  let base: string;
  let tree: string;
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'lw-walls-')));
    tree = join(base, 'home', 'project', '.loopwright', 'worktrees', 'w');
    mkdirSync(join(tree, '.loopwright'), { recursive: true });
    mkdirSync(join(base, 'home', '.ssh'));
    mkdirSync(join(base, 'home', '.claude'));
    mkdirSync(join(base, 'home', '.codex'));
    mkdirSync(join(base, 'home', 'project', '.loopwright', 'sessions'));
    const files = [
      '.ssh/key',
      '.codex/login',
      '.claude/login',
      'notes',
      'project/a',
      'project/.loopwright/sessions/s',
    ];
    for (const file of files) writeFileSync(join(base, 'home', file), `this is ${file}`);
    writeFileSync(join(base, 'home', '.claude.json'), '{}');
    writeFileSync(join(tree, 'b'), 'mine');
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const walls = (level: 'standard' | 'strict' = 'standard', refused?: (host: string) => void) => {
    if (!sandbox) throw new Error('there is no sandbox');
    const home = join(base, 'home');
    const around = {
      level,
      home,
      stateDir: join(home, 'project', '.loopwright'),
      cacheDir: join(base, 'cache'),
      gitDir: undefined,
      writable: [],
    };
    return new Walls(sandbox, around, refused);
  };

  async function inside(script: string, { network = 'none', level, own, refused }: Options = {}) {
    const wall = walls(level, refused).around({ tree, network, ...(own ? { own } : {}) });
    const outcome = await runProcess({
      argv: ['node', '-e', script],
      cwd: tree,
      env: { PATH: process.env['PATH'], HOME: join(base, 'home') },
      masker: createMasker([]),
      streams: 'merged',
      wall,
    });
    return { text: outcome.output.text, code: outcome.kind === 'exited' ? outcome.code : outcome.kind };
  }

  interface Options {
    readonly network?: Network;
    readonly level?: 'standard' | 'strict';
    readonly own?: readonly string[];
    readonly refused?: (host: string) => void;
  }

  const reads = (path: string) =>
    `try { console.log('${path}:', require('fs').readFileSync('${path}', 'utf8')) } catch (e) { console.log('${path}:', e.code) }\n`;
  const writes = (path: string) =>
    `try { require('fs').writeFileSync('${path}', 'x'); console.log('${path}:', 'written') } catch (e) { console.log('${path}:', e.code) }\n`;

  it('lets it write its tree and nothing else that stays', async () => {
    const home = join(base, 'home');
    const { text } = await inside(
      [join(tree, 'b'), join(home, 'notes'), join(home, 'project/a'), '/tmp/own', join(tree, '.loopwright/x')]
        .map(writes)
        .join(''),
    );
    expect(text).toContain(`${join(tree, 'b')}: written`);
    expect(text).toContain(`${join(home, 'notes')}: EROFS`);
    expect(text).toContain(`${join(home, 'project/a')}: EROFS`);
    expect(text).toContain(`${join(tree, '.loopwright/x')}: EROFS`);
    expect(text).toContain('/tmp/own: written');
    expect(existsSync('/tmp/own')).toBe(false);
    expect(readFileSync(join(tree, 'b'), 'utf8')).toBe('x');
    expect(readdirSync(join(home, 'project/.loopwright/tmp'))).toEqual([]);
  });

  it('gives it a copy of a file of its own that lies outside of the home', async () => {
    // In a temporary folder, which a child gets a new one of.
    const file = join(base, 'script.json');
    writeFileSync(file, 'the script');
    expect((await inside(reads(file))).text).toContain(`${file}: ENOENT`);
    const { text } = await inside(reads(file) + writes(file), { own: [file] });
    expect(text).toContain(`${file}: the script`);
    expect(readFileSync(file, 'utf8')).toBe('the script');
  });

  it('hides keys, sessions and the logins of others, and shows its own', async () => {
    const home = join(base, 'home');
    const paths = [
      '.ssh/key',
      '.codex/login',
      '.claude/login',
      '.claude.json',
      'notes',
      'project/.loopwright/sessions/s',
    ];
    const own = [`${join(home, '.claude')}/`, join(home, '.claude.json')];
    const { text } = await inside(paths.map((path) => reads(join(home, path))).join(''), { own });
    expect(text).toContain('.ssh/key: ENOENT');
    expect(text).toContain('.codex/login: ENOENT');
    expect(text).toContain('sessions/s: ENOENT');
    expect(text).toContain('.claude/login: this is .claude/login');
    expect(text).toContain('.claude.json: {}');
    expect(text).toContain('notes: this is notes');
  });

  it('strict: the home folder is empty but for its own', async () => {
    const home = join(base, 'home');
    const own = [`${join(home, '.claude')}/`];
    const { text } = await inside(`console.log(require('fs').readdirSync('${home}').sort().join(' '))`, {
      level: 'strict',
      own,
    });
    expect(text.trim()).toBe('.cache .claude .npm project');
  });

  it('ends everything that it started with it, however it hid', async () => {
    const { text } = await inside(`
      const { spawn } = require('child_process');
      const child = spawn('/usr/bin/env', ['-i', '/usr/bin/setsid', '/bin/sleep', '987654'], { detached: true, stdio: 'ignore' });
      child.unref();
      child.once('spawn', () => console.log('started'));
    `);
    expect(text).toContain('started');
    const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(left).not.toContain('sleep 987654');
  });

  it('reaches no network, and a list of hosts through the proxy alone', async () => {
    const server = createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const refused: string[] = [];
    const get = `fetch('http://127.0.0.1:${port}/').then((r) => r.text()).then(console.log, (e) => console.log('no', e.cause?.code ?? e.message)).finally(() => process.exit());`;
    const other = `
      const http = require('http');
      const proxy = new URL(process.env.HTTP_PROXY);
      http.get({ host: proxy.hostname, port: proxy.port, path: 'http://example.org/' }, (r) => console.log('status', r.statusCode));`;
    try {
      expect((await inside(get)).text).toContain('no ECONNREFUSED');
      // Named twice, as by a setting and by the agent's own variable.
      const hosts = [`127.0.0.1:${port}`, `127.0.0.1:${port}`];
      expect((await inside(get, { network: hosts })).text).toContain('hello');
      expect((await inside(get, { network: 'host' })).text).toContain('hello');
      const { text } = await inside(other, { network: hosts, refused: (host) => refused.push(host) });
      expect(text).toContain('status 403');
      expect(refused).toEqual(['example.org']);
    } finally {
      server.close();
    }
  });

  it('a program that is not there is told as such', async () => {
    const outcome = await runProcess({
      argv: ['no-such-program'],
      cwd: tree,
      env: { PATH: process.env['PATH'] },
      masker: createMasker([]),
      streams: 'merged',
      wall: walls().around({ tree, network: 'none' }),
    });
    expect(outcome).toMatchObject({ kind: 'not-started', error: { code: 'ENOENT' } });
    expect(existsSync(join(base, 'home/project/.loopwright/tmp'))).toBe(false);
  });

  it('hands on exit codes and signals', async () => {
    expect((await inside('process.exit(7)')).code).toBe(7);
    expect((await inside('process.exit(7)', { network: ['example.org'] })).code).toBe(7);
  });
});
