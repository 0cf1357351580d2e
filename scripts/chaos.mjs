// Works a backlog off with several processes and kills them with SIGKILL at random moments, again and again. Every
// task must be delivered exactly once, on its first attempt, and no process may be left.
//   npm run chaos -- [--tasks 300] [--processes 6] [--every 4000] [--seed 1]
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '300' },
    processes: { type: 'string', default: '6' },
    every: { type: 'string', default: '4000' },
    seed: { type: 'string', default: '1' },
  },
});
const [count, processes, every] = [values.tasks, values.processes, values.every].map(Number);
const command = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/bin/loopwright.js');
const base = mkdtempSync(join(tmpdir(), 'lw-chaos-'));
const cwd = join(base, 'project');
const mark = `chaos-${process.pid}`;
const env = {
  PATH: process.env.PATH,
  HOME: join(base, 'home'),
  XDG_CONFIG_HOME: join(base, 'home/.config'),
  LOOPWRIGHT_TRUST: '1',
  LOOPWRIGHT_SANDBOX: process.env.LOOPWRIGHT_SANDBOX ?? 'off',
  REPO_MODE: 'local-git',
  LLM_EXECUTOR: 'scripted',
  LOOPWRIGHT_SCRIPT: join(base, 'script.json'),
  LOOPWRIGHT_TASK_LOCK_DIR: join(base, 'locks'),
  LC_CHAOS: mark,
};
const random = generator(Number(values.seed));
const names = Array.from({ length: count }, (_, at) => `t${String(at).padStart(4, '0')}`);

try {
  prepare();
  const began = performance.now();
  const kills = await workOff();
  const seconds = Math.round((performance.now() - began) / 1000);
  const found = verdict();
  console.log(
    `${count} tasks, ${processes} processes, ${kills} kills in ${seconds} s, seed ${values.seed}: ${found.lost.length} lost, ` +
      `${found.doubled.length} doubled, ${found.burned.length} attempts burned, ${found.left.length} processes left`,
  );
  for (const [what, list] of Object.entries(found)) for (const one of list) console.log(`  ${what}: ${one}`);
  process.exitCode = Object.values(found).every((list) => list.length === 0) ? 0 : 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}

function prepare() {
  mkdirSync(join(cwd, 'src'), { recursive: true });
  mkdirSync(env.HOME, { recursive: true });
  writeFileSync(join(cwd, 'check.mjs'), "import { readdirSync } from 'node:fs';\nreaddirSync('src');\n");
  writeFileSync(join(cwd, 'src/start.txt'), 'start\n');
  // A conversation that continues after a kill plays the next turn: it does the same, as an agent would.
  const turns = names.flatMap((name) =>
    Array.from({ length: 9 }, () => ({
      when: `write ${name}\\b`,
      steps: [{ write: { path: `src/${name}.txt`, content: `${name}\n` } }, { say: 'done' }],
    })),
  );
  writeFileSync(env.LOOPWRIGHT_SCRIPT, JSON.stringify({ turns }));
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
  const tasks = names.map((title) => ({
    title,
    goal: `write ${title}`,
    allowedPaths: [`src/${title}.txt`],
    commands: ['node check.mjs'],
  }));
  writeFileSync(join(base, 'tasks.json'), JSON.stringify({ tasks }));
  loopwright('task', 'import', join(base, 'tasks.json'));
}

/** Kills one process every so often and starts another, until nothing is in line and nothing runs. */
async function workOff() {
  const living = new Set();
  const start = () => {
    const child = spawn(process.execPath, [command, 'work', '--once'], { cwd, env, stdio: 'ignore' });
    living.add(child);
    child.on('exit', () => living.delete(child));
  };
  let kills = 0;
  for (;;) {
    const open = board().filter(
      ({ state }) => state === 'queued' || state === 'running' || state === 'failed',
    );
    if (open.length === 0) break;
    while (living.size < processes) start();
    await sleep(every * (0.5 + random()));
    const victim = [...living][Math.floor(random() * living.size)];
    if (victim?.kill('SIGKILL')) kills++;
  }
  await Promise.all([...living].map((child) => new Promise((done) => child.on('exit', done))));
  return kills;
}

function verdict() {
  const tasks = board();
  const lost = tasks
    .filter(({ blockReason }) => blockReason !== 'awaiting_judge')
    .map((task) => `${task.title} ${task.state} ${task.failureCode ?? ''}`);
  const branches = git('for-each-ref', '--format=%(refname)', 'refs/heads/').split('\n');
  const commits = branches
    .filter((name) => name !== '' && name !== 'refs/heads/main')
    .flatMap((name) => git('log', '--format=%s', `main..${name}`).trim().split('\n'));
  return {
    lost: [...lost, ...names.filter((name) => !commits.some((subject) => subject.includes(name)))],
    doubled: names.filter((name) => commits.filter((subject) => subject.includes(name)).length > 1),
    burned: tasks
      .filter(({ attempts }) => attempts !== 1)
      .map(({ title, attempts }) => `${title} ${attempts}`),
    left: marked(),
  };
}

/** Processes that carry our mark in their environment; agents and commands inherit names that begin with LC_. */
function marked() {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const mine = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`LC_CHAOS=${mark}`);
      return mine ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`] : [];
    } catch {
      return []; // Gone since it was listed, or another user's.
    }
  });
}

function board() {
  return JSON.parse(loopwright('task', 'list', '--all', '--json')).tasks;
}

function loopwright(...args) {
  return execFileSync(process.execPath, [command, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
}

function git(...args) {
  return execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** Small and repeatable. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
