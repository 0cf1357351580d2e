// A checkpoint against `git status --porcelain` on a repository of 2,000 files, all in one run. The plain
// commands that a checkpoint cannot do without are measured beside it, started the same way.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { TreeCheckpoints } from '../dist/workspace/checkpoints/tree-checkpoints.js';

const FILES = 2000;
const CHANGED = 10;
const ROUNDS = Number(process.argv[2] ?? 40);
const run = promisify(execFile);
const env = {
  ...process.env,
  GIT_OPTIONAL_LOCKS: '0',
  GIT_AUTHOR_NAME: 'bench',
  GIT_AUTHOR_EMAIL: 'bench@localhost',
  GIT_COMMITTER_NAME: 'bench',
  GIT_COMMITTER_EMAIL: 'bench@localhost',
};

const folder = mkdtempSync(join(tmpdir(), 'checkpoint-bench-'));
try {
  const repo = makeRepository('ours');
  // A repository of its own: who writes an object first saves the other the work.
  const other = makeRepository('plain');
  const checkpoints = new TreeCheckpoints(repo, 'bench');
  await checkpoints.save(0);
  await checkpoints.save(1);
  const plain = plainGit(other);
  await plain.addAll();

  let step = 2;
  const times = { status: [], unchanged: [], statusChanged: [], plain: [], changed: [] };
  for (let round = 0; round < ROUNDS; round++) {
    // The order turns, so that no side always runs on what another one has just warmed up.
    const still = [
      ['status', () => git(repo, 'status', '--porcelain')],
      ['unchanged', () => checkpoints.save(step)],
    ];
    for (const [name, action] of round % 2 ? still : still.reverse()) times[name].push(await time(action));
    for (const dir of [repo, other]) change(dir, round);
    times.statusChanged.push(await time(() => git(repo, 'status', '--porcelain')));
    const both = [
      ['plain', () => plain.checkpoint(step)],
      ['changed', () => checkpoints.save(++step)],
    ];
    for (const [name, action] of round % 2 ? both : both.reverse()) times[name].push(await time(action));
    // Files younger than the index are read again by every git; a real step takes longer than that.
    for (const dir of [repo, other]) settle(dir, round);
    await checkpoints.save(step);
    await plain.addAll();
  }
  report(times);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(times) {
  const ms = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
  const rows = [
    ['nothing changed', ms.unchanged, ms.status, 1.5],
    [`${CHANGED} of ${FILES} files changed`, ms.changed, ms.status, 4],
    ['  the same, status with the changes', ms.changed, ms.statusChanged, undefined],
    ['  plain add, write-tree, commit-tree, update-ref', ms.plain, ms.status, undefined],
  ];
  let holds = true;
  for (const [name, ours, status, promise] of rows) {
    const ratio = ours / status;
    const verdict =
      promise === undefined ? 'for comparison' : `at most ${promise}x ${ratio <= promise ? 'ok' : 'MISSED'}`;
    holds &&= promise === undefined || ratio <= promise;
    console.log(
      `${name.padEnd(50)} ${ours.toFixed(1)} ms / status ${status.toFixed(1)} ms = ${ratio.toFixed(2)}x  ${verdict}`,
    );
  }
  process.exitCode = holds ? 0 : 1;
}

function makeRepository(name) {
  const repo = join(folder, name);
  for (let i = 0; i < FILES; i++) {
    const file = pathOf(repo, i);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `file ${i}\n${'line of text\n'.repeat(80)}`);
    utimesSync(file, 1_600_000_000, 1_600_000_000);
  }
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'start'],
  ]) {
    execFileSync('git', args, { cwd: repo, env });
  }
  return repo;
}

/** What anybody would write: the four commands, with an index of their own that is kept. */
function plainGit(repo) {
  const own = { ...env, GIT_INDEX_FILE: join(folder, 'plain-index') };
  const call = async (...args) => (await run('git', args, { cwd: repo, env: own })).stdout.trim();
  let parent = 'HEAD';
  return {
    addAll: () => call('add', '-A'),
    async checkpoint(step) {
      await call('add', '-A');
      const tree = await call('write-tree');
      parent = await call('commit-tree', tree, '-p', parent, '-m', `step ${step}`);
      await call('update-ref', `refs/plain/${step}`, parent);
    },
  };
}

function change(repo, round) {
  for (let i = 0; i < CHANGED; i++)
    writeFileSync(pathOf(repo, numberOf(round, i)), `changed in ${round}\n`.repeat(80));
}

function settle(repo, round) {
  for (let i = 0; i < CHANGED; i++) {
    utimesSync(pathOf(repo, numberOf(round, i)), 1_600_000_000, 1_600_000_000 + round);
  }
}

function numberOf(round, i) {
  return (round * CHANGED + i * 197) % FILES;
}

function pathOf(repo, i) {
  return join(repo, `src/part-${i % 40}`, `file-${i}.txt`);
}

async function git(cwd, ...args) {
  return (await run('git', args, { cwd, env })).stdout;
}

async function time(action) {
  const began = performance.now();
  await action();
  return performance.now() - began;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
