// Adding a worktree of 2,000 files: loopwright against a bare `git worktree add`, taken in turns in one run.
// argv: [rounds]; prints a table, or with --json one line.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitWorktreeManager, openRepository } from '../dist/index.js';
import { noteOf } from './note.mjs';

const FILES = 2000;
const PROMISE = 1.2;
const rounds = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 15);
const base = mkdtempSync(join(tmpdir(), 'worktree-bench-'));
const dir = join(base, 'repo');

try {
  makeRepository();
  const bare = [];
  const ours = [];
  for (let i = -2; i < rounds; i++) {
    // Who goes first changes every round: the first one pays for cold caches.
    const early = i % 2 === 0 ? timeBare(i) : undefined;
    const own = await timeOurs(i);
    const plain = early ?? timeBare(i);
    if (i < 0) continue;
    bare.push(plain);
    ours.push(own);
  }
  report(median(bare), median(ours));
} finally {
  rmSync(base, { recursive: true, force: true });
}

function timeBare(i) {
  const path = join(base, `bare${i}`);
  const began = performance.now();
  git('worktree', 'add', '-q', '-b', `bare${i}`, path, 'HEAD');
  const ms = performance.now() - began;
  git('worktree', 'remove', '--force', path);
  git('branch', '-q', '-D', `bare${i}`);
  return ms;
}

/** Everything a session pays: finding the repository, the lock, the record, and looking at the checkout. */
async function timeOurs(i) {
  const began = performance.now();
  const worktrees = new GitWorktreeManager(await openRepository(dir), { root: join(base, 'ours') });
  await worktrees.create({ id: `s${i + 2}` });
  const ms = performance.now() - began;
  await worktrees.remove(`s${i + 2}`, { deleteBranch: true });
  return ms;
}

function makeRepository() {
  mkdirSync(dir);
  git('init', '-q', '-b', 'main');
  for (let i = 0; i < FILES; i++) {
    const folder = join(dir, `src/d${i % 40}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${i}.txt`), noteOf(i, 4000));
  }
  git('add', '-A');
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', 'commit', '-q', '-m', 'files');
}

function git(...args) {
  execFileSync('git', args, { cwd: dir, stdio: 'ignore' });
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function report(bareMs, oursMs) {
  const ratio = oursMs / bareMs;
  if (process.argv.includes('--json')) {
    process.stdout.write(JSON.stringify({ bareMs, oursMs, ratio }));
    return;
  }
  console.log(`add a worktree of ${FILES} files, median of ${rounds}`);
  console.log(`  git worktree add   ${bareMs.toFixed(1)} ms`);
  console.log(`  loopwright         ${oursMs.toFixed(1)} ms`);
  console.log(
    `  ratio              ${ratio.toFixed(2)}x (at most ${PROMISE}x: ${ratio <= PROMISE ? 'holds' : 'MISSED'})`,
  );
  process.exitCode = ratio <= PROMISE ? 0 : 1;
}
