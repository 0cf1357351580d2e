import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appears, type Started, start, tempFolder, write } from '../cli/support.ts';

const NOBODY = 65_534;
const uid = process.getuid?.() ?? 0;
const asRoot = it.skipIf(uid !== 0);

/** A temporary folder that everybody can write, as `/tmp` is; short, since sockets are made in it. */
function sharedTemp(): string {
  const folder = realpathSync(mkdtempSync('/tmp/lwt-'));
  chmodSync(folder, 0o1777);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A workflow that halts on a question, and one that waits until a file appears. */
const ASKING = {
  nodes: {
    N: {
      entry_block: 'B',
      blocks: { B: { worker: 'Internal:AskHuman', with: { question: 'Go on?' }, transitions: [] } },
    },
  },
};
const WAITING = {
  nodes: {
    N: {
      entry_block: 'B',
      blocks: {
        B: { worker: 'Internal:Command', with: { argv: ['node', 'wait.js'] }, transitions: [] },
      },
    },
  },
};
const WAIT = `const fs = require('fs'); fs.writeFileSync('began', ''); setInterval(() => { if (fs.existsSync('end')) process.exit(0); }, 20);`;

function project(workflow: object) {
  const cwd = tempFolder();
  write(cwd, { 'w.json': workflow, 'wait.js': WAIT, '.loopwright/config.json': {} });
  return cwd;
}

const RUN = ['run', '-w', 'w.json', 'go', '--in-place', '--json'];

async function idOf({ ended }: Started): Promise<string> {
  return /"session":"([^"]+)"/.exec((await ended).stdout)?.[1] ?? '';
}

const socketOf = (cwd: string, id: string): string =>
  JSON.parse(readFileSync(join(cwd, '.loopwright/sessions', id, 'session.json'), 'utf8')).socket;

describe('what lives only while a process does', () => {
  it('is in a folder of the user, closed to all others, and its sockets go with it', async () => {
    const TMPDIR = sharedTemp();
    const cwd = project(WAITING);
    const run = start(RUN, { cwd, env: { TMPDIR, XDG_RUNTIME_DIR: undefined } });
    await run.saw('session.reachable');
    const own = join(TMPDIR, `loopwright-${uid}`);
    expect(readdirSync(TMPDIR)).toEqual([`loopwright-${uid}`]);
    expect(statSync(own).mode & 0o777).toBe(0o700);
    const socket = readdirSync(own).find((name) => /^[0-9A-Z]{26}\./.test(name)) ?? '';
    expect(statSync(join(own, socket)).mode & 0o777).toBe(0o600);
    writeFileSync(join(cwd, 'end'), '');
    expect((await run.ended).code).toBe(0);
    expect(readdirSync(own)).toEqual([]);
  });

  it('is in XDG_RUNTIME_DIR where the system gives one', async () => {
    const XDG_RUNTIME_DIR = sharedTemp();
    const TMPDIR = sharedTemp();
    const cwd = project(WAITING);
    const run = start(RUN, { cwd, env: { TMPDIR, XDG_RUNTIME_DIR } });
    await run.saw('session.reachable');
    expect(statSync(join(XDG_RUNTIME_DIR, 'loopwright')).mode & 0o777).toBe(0o700);
    expect(readdirSync(TMPDIR)).toEqual([]);
    writeFileSync(join(cwd, 'end'), '');
    await run.ended;
  });
});

describe('a second user on the machine', () => {
  it('resume empties no folder whose name only begins like ours', async () => {
    const TMPDIR = sharedTemp();
    const cwd = project(ASKING);
    const env = { TMPDIR, XDG_RUNTIME_DIR: undefined };
    const id = await idOf(start(RUN, { cwd, env }));
    const mine = tempFolder();
    writeFileSync(join(mine, 'letter'), 'x');
    mkdirSync(join(TMPDIR, `lw-${id}-aaaaaa`));
    writeFileSync(join(TMPDIR, `lw-${id}-aaaaaa`, 'letter'), 'x');
    // The same name inside of our own folder: a file and a link are no sockets of ours.
    writeFileSync(join(TMPDIR, `loopwright-${uid}`, `${id}.aaaaaa`), 'x');
    symlinkSync(mine, join(TMPDIR, `loopwright-${uid}`, `${id}.bbbbbb`));
    expect((await start(['resume', id, '--answer', 'yes'], { cwd, env }).ended).code).toBe(0);
    expect(existsSync(join(TMPDIR, `lw-${id}-aaaaaa`, 'letter'))).toBe(true);
    expect(existsSync(join(TMPDIR, `loopwright-${uid}`, `${id}.aaaaaa`))).toBe(true);
    expect(existsSync(join(mine, 'letter'))).toBe(true);
  });

  it.skipIf(uid !== 0).each(['a folder of theirs', 'a link of theirs'])(
    '%s in the place of ours is not used',
    async (what) => {
      const TMPDIR = sharedTemp();
      const cwd = project(WAITING);
      const squatted = join(TMPDIR, `loopwright-${uid}`);
      const target = join(TMPDIR, 'target');
      mkdirSync(what === 'a folder of theirs' ? squatted : target, { mode: 0o777 });
      if (what === 'a folder of theirs') chownSync(squatted, NOBODY, NOBODY);
      else symlinkSync(target, squatted);
      const run = start(RUN, { cwd, env: { TMPDIR, XDG_RUNTIME_DIR: undefined, HOME: tempFolder() } });
      await run.saw('session.reachable');
      expect(readdirSync(what === 'a folder of theirs' ? squatted : target)).toEqual([]);
      writeFileSync(join(cwd, 'end'), '');
      expect((await run.ended).code).toBe(0);
    },
  );

  asRoot('works on a backlog of theirs after the first user did: each has locks of their own', async () => {
    const TMPDIR = sharedTemp();
    const work = async (user: number) => {
      const cwd = tempFolder();
      write(cwd, {
        'a.txt': 'a',
        'script.json': { turns: [{ steps: [{ write: { path: 'a.txt', content: 'b' } }, { say: 'done' }] }] },
      });
      chmodSync(cwd, 0o755);
      for (const name of ['', 'a.txt', 'script.json']) chownSync(join(cwd, name), user, user);
      const home = tempFolder();
      chownSync(home, user, user);
      const env = {
        ...process.env,
        TMPDIR,
        HOME: home,
        XDG_CONFIG_HOME: undefined,
        XDG_RUNTIME_DIR: undefined,
        LOOPWRIGHT_TRUST: '1',
        LOOPWRIGHT_SANDBOX: 'off',
        REPO_MODE: 'direct',
        LLM_EXECUTOR: 'scripted',
        LOOPWRIGHT_SCRIPT: join(cwd, 'script.json'),
        WORKER_AUTO_VERIFY_MODE: 'off',
      };
      const lw = (...args: string[]) => asUser(user, args, { cwd, env });
      await lw('task', 'add', 'change it', '--command', 'true');
      const { text } = await lw('work', '--once');
      expect(statSync(join(TMPDIR, `loopwright-${user}`)).uid).toBe(user);
      return text;
    };
    expect(await work(0)).toContain('1 done');
    expect(await work(NOBODY)).toContain('1 done');
    expect(readdirSync(TMPDIR).sort()).toEqual(['loopwright-0', `loopwright-${NOBODY}`]);
  });
});

describe('a session that somebody else wrote', () => {
  it('does not make us speak to a socket that is not ours', async () => {
    const TMPDIR = sharedTemp();
    const cwd = project(WAITING);
    const env = { TMPDIR, XDG_RUNTIME_DIR: undefined };
    const run = start(RUN, { cwd, env });
    await run.saw('session.reachable');
    // From here on the owner writes nothing until the command ends.
    await appears(cwd, 'began');
    const [id = ''] = readdirSync(join(cwd, '.loopwright/sessions'));
    const heard: string[] = [];
    const server = createServer((socket) => socket.on('data', (data) => heard.push(String(data))));
    const foreign = join(tempFolder(), 's');
    await new Promise<void>((resolve) => server.listen(foreign, resolve));
    onTestFinished(() => void server.close());
    const file = join(cwd, '.loopwright/sessions', id, 'session.json');
    const said = readFileSync(file, 'utf8');
    writeFileSync(file, said.replace(socketOf(cwd, id), foreign));
    const { code, stderr } = await start(['stop', id, '--task', 'x'], { cwd, env }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('is not a socket that a session of yours opened');
    expect(heard).toEqual([]);
    writeFileSync(join(cwd, 'end'), '');
    await run.ended;
    expect(lstatSync(foreign).isSocket()).toBe(true);
  });
});

/** The built command as another user, in a process of theirs. */
function asUser(
  user: number,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ code: number | null; text: string }> {
  const command = join(import.meta.dirname, '../../dist/bin/loopwright.js');
  const child = spawn(process.execPath, [command, ...args], { cwd, env, uid: user, gid: user });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}
