// One snapshot of 100,000 files against `find -printf` on the same tree, in one run.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeSnapshot } from '../dist/workspace/snapshot/take-snapshot.js';

const FILES = Number(process.argv[2] ?? 100_000);
const ROUNDS = 9;
const PROMISE = 2.5;

const folder = mkdtempSync(join(tmpdir(), 'snapshot-bench-'));
try {
  const tree = join(folder, 'tree');
  let holds = true;
  makeTree(tree);
  holds = compare('no .gitignore', tree) && holds;
  mkdirSync(join(tree, '.git'), { recursive: true });
  writeFileSync(join(tree, '.gitignore'), '*.log\n.env\n/out/\ntmp/\n!keep.log\n*.tsbuildinfo\n');
  holds = compare('a plain .gitignore', tree) && holds;
  writeFileSync(
    join(tree, '.gitignore'),
    '*.log\nnpm-debug.log*\n.env.*\n.yarn/*\n!.yarn/patches\n*.swp\n[Tt]humbs.db\n',
  );
  holds = compare('a .gitignore of wildcards', tree) && holds;
  writeFileSync(join(tree, '.gitignore'), '**/generated/**\n');
  compare('one that asks for each path', tree, 'for comparison');
  process.exitCode = holds ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function compare(name, tree, note) {
  const ours = [];
  const theirs = [];
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(
      time(() =>
        execFileSync('find', [tree, '-type', 'f', '-printf', '%p %T@ %s\n'], { maxBuffer: 1 << 28 }),
      ),
    );
    ours.push(time(() => (count = takeSnapshot(tree).files.size)));
  }
  const ratio = median(ours) / median(theirs);
  const verdict = note ?? `at most ${PROMISE}x ${ratio <= PROMISE ? 'ok' : 'MISSED'}`;
  console.log(
    `${name.padEnd(26)} ${count} files: ${median(ours).toFixed(0)} ms / find ${median(theirs).toFixed(0)} ms = ${ratio.toFixed(2)}x  ${verdict}`,
  );
  return ratio <= PROMISE;
}

/** 50 files to a folder, 20 folders to a folder, as a large repository is shaped. */
function makeTree(tree) {
  for (let i = 0; i < FILES; i++) {
    const home = join(tree, `group-${Math.floor(i / 1000)}`, `part-${Math.floor(i / 50) % 20}`);
    if (i % 50 === 0) mkdirSync(home, { recursive: true });
    writeFileSync(join(home, `file-${i}.ts`), 'x');
  }
}

function time(action) {
  const began = performance.now();
  action();
  return performance.now() - began;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
