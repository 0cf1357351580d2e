// What the runtime of tasks costs: the standard flow in local-git mode against a shell script of the git commands
// with the same agent and the same check, each side in processes of its own and taken in turns; and an idle runtime.
// argv: [rounds] [names of measurements]; without any names all of them.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { noteOf } from './note.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const COMMAND = here('../dist/bin/loopwright.js');
const PLAYER = here('../programs/scripted-agent/player.mjs');
const FILES = 2000;
const TASKS = 10;
const AT_MOST = 1.5;
const IDLE_AT_MOST = 0.005;
const SETTLE_MS = 3000;
const IDLE_MS = 20_000;
/** Of /proc/<pid>/stat. */
const TICKS_PER_SECOND = 100;

const asked = process.argv.slice(2);
const rounds = Number(asked.find((word) => /^\d+$/.test(word)) ?? 7);
const names = asked.filter((word) => !/^\d+$/.test(word));
const base = realpathSync(mkdtempSync(join(tmpdir(), 'task-bench-')));
const template = join(base, 'template');
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GIT_|LOOPWRIGHT_)/.test(name))),
  REPO_MODE: 'local-git',
  LLM_EXECUTOR: 'scripted',
  LOOPWRIGHT_TRUST: '1',
  // What a wall costs is measured by itself, and the script of the agent lies outside of its tree.
  LOOPWRIGHT_SANDBOX: 'off',
  LOOPWRIGHT_SCRIPT: join(base, 'script.json'),
  LOOPWRIGHT_TASK_LOCK_DIR: join(base, 'locks'),
};
const measurements = { one: () => flow(1, rounds), many: () => flow(TASKS, Math.ceil(rounds / 2)), idle };

try {
  makeRepository();
  const held = [];
  for (const name of names.length > 0 ? names : Object.keys(measurements))
    held.push(await measurements[name]());
  process.exitCode = held.every(Boolean) ? 0 : 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}

/**
 * One process works off so many tasks, against the script once per task. Both run the check once: what loopwright
 * runs on the untouched files are the checks of the project, and this one has none.
 */
async function flow(tasks, times) {
  const sides = {
    ours: (i) => timeOurs(i, tasks),
    script: (i) => timeScript(i, tasks),
  };
  const spans = { ours: [], script: [] };
  const order = Object.keys(sides);
  for (let i = -1; i < times; i++) {
    for (const side of i % 2 === 0 ? order : order.toReversed()) {
      const ms = sides[side](`${side}-${tasks}-${i + 1}`);
      if (i >= 0) spans[side].push(ms);
    }
  }
  const [ours, script] = order.map((side) => median(spans[side]) / tasks);
  const what = tasks === 1 ? 'one task, one process' : `${tasks} tasks, one process, each`;
  return report(what, ours, script, tasks === 1 ? AT_MOST : undefined);
}

function timeOurs(name, tasks) {
  const cwd = copyOf(name);
  for (let i = 0; i < tasks; i++)
    loopwright(cwd, 'task', 'add', title(i), '--allow', `src/d${i}/**`, '--command', 'node check.mjs');
  const ms = timed(() => loopwright(cwd, 'work', '--once', '--json'));
  const counted = JSON.parse(loopwright(cwd, 'task', 'list', '--json')).tasks.filter(
    ({ state, blockReason }) => state === 'blocked' && blockReason === 'awaiting_judge',
  );
  if (counted.length !== tasks) throw new Error(`${counted.length} of ${tasks} tasks were delivered`);
  rmSync(cwd, { recursive: true });
  return ms;
}

function timeScript(name, tasks) {
  const cwd = copyOf(name);
  const script = join(base, `${name}.sh`);
  writeFileSync(
    script,
    [
      'set -e',
      'tree=.trees/$1',
      'git worktree add -q -b "task/$1" "$tree" HEAD',
      `(cd "$tree" && node "${PLAYER}" --mode headless --permissions edits -- "Task: $2" >../agent-$1.log)`,
      '(cd "$tree" && node check.mjs)',
      'git -C "$tree" add -A',
      'git -C "$tree" commit -q -m "$2"',
      'git -C "$tree" diff HEAD~1 HEAD >.trees/$1.diff',
    ].join('\n'),
  );
  const ms = timed(() => {
    for (let i = 0; i < tasks; i++) run(cwd, 'sh', script, String(i), title(i));
  });
  for (let i = 0; i < tasks; i++) {
    const patch = readFileSync(join(cwd, `.trees/${i}.diff`), 'utf8');
    if (!patch.includes(`+edited ${i}`)) throw new Error(`the script delivered nothing:\n${patch}`);
  }
  rmSync(cwd, { recursive: true });
  return ms;
}

/** A runtime with nothing to do: the processor time of its process, over a while after it has settled. */
async function idle() {
  const cwd = copyOf('idle');
  const child = spawn(process.execPath, [COMMAND, 'work'], { cwd, env, stdio: 'ignore' });
  await pause(SETTLE_MS);
  const before = ticksOf(child.pid);
  await pause(IDLE_MS);
  const share = (ticksOf(child.pid) - before) / TICKS_PER_SECOND / (IDLE_MS / 1000);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  const holds = share < IDLE_AT_MOST;
  console.log(
    `${'idle runtime'.padEnd(28)}${(share * 100).toFixed(2)} % of a core over ${IDLE_MS / 1000} s  below ${IDLE_AT_MOST * 100} %: ${holds ? 'holds' : 'MISSED'}`,
  );
  return holds;
}

/** utime and stime; the name of the program stands in brackets before them and may hold anything. */
function ticksOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function makeRepository() {
  mkdirSync(template);
  run(template, 'git', 'init', '-q', '-b', 'main');
  run(template, 'git', 'config', 'user.name', 'Bench');
  run(template, 'git', 'config', 'user.email', 'bench@example.org');
  for (let i = 0; i < FILES; i++) {
    const folder = join(template, `src/d${i % 40}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${i}.txt`), noteOf(i, 4000));
  }
  writeFileSync(join(template, '.gitignore'), '.loopwright/\n.trees/\n');
  writeFileSync(
    join(template, 'check.mjs'),
    "import { readdirSync } from 'node:fs';\nif (readdirSync('src').length !== 40) process.exit(1);\n",
  );
  run(template, 'git', 'add', '-A');
  run(template, 'git', 'commit', '-q', '-m', 'files');
  const turns = Array.from({ length: TASKS }, (_, i) => ({
    when: `Task: ${title(i)}`,
    steps: [{ write: { path: `src/d${i}/f${i}.txt`, content: `edited ${i}\n` } }, { say: 'done' }],
  }));
  writeFileSync(env.LOOPWRIGHT_SCRIPT, JSON.stringify({ turns }));
}

/** A repository nobody has worked in, with an index that knows its files, and nothing left for the disk to do. */
function copyOf(name) {
  const cwd = join(base, name);
  cpSync(template, cwd, { recursive: true });
  run(cwd, 'git', 'update-index', '-q', '--refresh');
  mkdirSync(join(cwd, '.trees'));
  execFileSync('sync');
  return cwd;
}

function title(i) {
  return `edit number ${String(i).padStart(2, '0')}`;
}

function loopwright(cwd, ...args) {
  return run(cwd, process.execPath, COMMAND, ...args);
}

function run(cwd, command, ...args) {
  const done = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (done.status === 0) return done.stdout;
  throw new Error(`${command} ${args.join(' ')} failed:\n${done.stdout}${done.stderr}`);
}

function timed(action) {
  const began = performance.now();
  action();
  return performance.now() - began;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function report(name, ours, peer, promise) {
  const ratio = ours / peer;
  const holds = promise === undefined || ratio <= promise;
  const verdict =
    promise === undefined ? 'for comparison' : `at most ${promise}x: ${holds ? 'holds' : 'MISSED'}`;
  console.log(
    `${name.padEnd(28)}${ours.toFixed(0)} ms / the script ${peer.toFixed(0)} ms = ${ratio.toFixed(2)}x (${(ours - peer).toFixed(0)} ms more)  ${verdict}`,
  );
  return holds;
}
