// How long a person waits from `loopwright run` until the agent is at work in its worktree, on a small repository:
// against a shell script of what cannot be left out (a Node process, the worktree, the checks once on the untouched
// files, the agent's own start), taken in turns. The clock stops at the first file that the agent writes.
// argv: [rounds] [another built command to be measured in the place of this one]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noteOf } from './note.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PLAYER = here('../programs/scripted-agent/player.mjs');
const FILES = 20;
const AT_MOST_MS = 1000;

const asked = process.argv.slice(2);
const rounds = Number(asked.find((word) => /^\d+$/.test(word)) ?? 9);
const command = asked.find((word) => word.endsWith('.js')) ?? here('../dist/bin/loopwright.js');
const base = realpathSync(mkdtempSync(join(tmpdir(), 'first-call-bench-')));
const template = join(base, 'template');
const mark = join(base, 'mark');
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GIT_|LOOPWRIGHT_)/.test(name))),
  LOOPWRIGHT_TRUST: '1',
  // What a wall costs is measured by itself, and the script of the agent lies outside of its tree.
  LOOPWRIGHT_SANDBOX: 'off',
  LOOPWRIGHT_SCRIPT: join(base, 'script.json'),
};
const sides = {
  ours: () => [process.execPath, command, 'run', 'change the first file', '--json'],
  script: () => ['sh', join(base, 'limit.sh')],
};

try {
  makeRepository();
  const spans = { ours: [], script: [] };
  const order = Object.keys(sides);
  for (let i = -1; i < rounds; i++) {
    for (const side of i % 2 === 0 ? order : order.toReversed()) {
      const ms = firstCall(side, `${side}-${i + 1}`);
      if (i >= 0) spans[side].push(ms);
    }
  }
  report(median(spans.ours), median(spans.script));
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** From the start of the process to the first file of the agent; the rest of the run is waited for, not counted. */
function firstCall(side, name) {
  const cwd = join(base, name);
  cpSync(template, cwd, { recursive: true });
  spawnSync('git', ['update-index', '-q', '--refresh'], { cwd, env });
  rmSync(mark, { force: true });
  const [program, ...args] = sides[side]();
  const began = Date.now();
  const done = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${side} failed:\n${done.stdout}${done.stderr}`);
  const ms = statSync(mark).mtimeMs - began;
  rmSync(cwd, { recursive: true });
  return ms;
}

function makeRepository() {
  mkdirSync(join(template, '.loopwright'), { recursive: true });
  mkdirSync(join(template, 'src'));
  for (let i = 0; i < FILES; i++) writeFileSync(join(template, `src/f${i}.txt`), noteOf(i, 4000));
  const check =
    "import { readdirSync } from 'node:fs';\nif (readdirSync('src').length !== 20) process.exit(1);\n";
  writeFileSync(join(template, 'check.mjs'), check);
  writeJson(join(template, 'package.json'), { private: true, scripts: { test: 'node check.mjs' } });
  writeFileSync(join(template, '.gitignore'), '.loopwright/\n');
  writeJson(join(template, '.loopwright/config.json'), {
    workers: { Coder: { agent: 'scripted', permissions: 'edits' } },
  });
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'Bench'],
    ['config', 'user.email', 'bench@example.org'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'files'],
  ])
    spawnSync('git', args, { cwd: template, env });
  writeJson(env.LOOPWRIGHT_SCRIPT, {
    // Only the first call leaves the mark.
    turns: [
      [{ write: { path: mark } }, { write: { path: 'src/f0.txt', content: 'changed\n' } }],
      [{ say: 'nothing more to do' }],
    ],
  });
  const tree = '.loopwright/worktrees/limit';
  const limit = [
    'set -e',
    'node -e 0',
    `git worktree add -q -b limit ${tree} HEAD`,
    `cd ${tree}`,
    'npm run test >../limit.log',
    `node "${PLAYER}" --mode headless --permissions edits -- "change the first file" >../agent.log`,
  ];
  writeFileSync(join(base, 'limit.sh'), limit.join('\n'));
}

function writeJson(path, value) {
  writeFileSync(path, JSON.stringify(value));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function report(ours, limit) {
  const holds = ours <= AT_MOST_MS;
  console.log(
    `from run to the first agent call, ${FILES} files: ${ours.toFixed(0)} ms / a bare script ${limit.toFixed(0)} ms = ${(ours / limit).toFixed(2)}x (${(ours - limit).toFixed(0)} ms more)  at most ${AT_MOST_MS} ms: ${holds ? 'holds' : 'MISSED'}`,
  );
  process.exitCode = holds ? 0 : 1;
}
