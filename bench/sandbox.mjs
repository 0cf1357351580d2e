// What the wall costs: a command of about a second, and a short one, with it and without, in one run.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMasker } from '../dist/kernel/mask.js';
import { runProcess } from '../dist/process/run.js';
import { ProjectSandbox } from '../dist/process/sandbox/project-sandbox.js';
import { findSandbox } from '../dist/process/sandbox/sandbox.js';

const AT_MOST = 1.1;
const ROUNDS = 9;
const { sandbox, why } = await findSandbox();
if (!sandbox) {
  console.log(`sandbox: not measured, ${why}`);
  process.exit(0);
}

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lw-bench-sandbox-')));
try {
  for (const name of ['tree', 'home', 'state', 'cache']) mkdirSync(join(base, name));
  const tree = join(base, 'tree');
  execFileSync('git', ['init', '-q', tree]);
  const walls = new ProjectSandbox({
    level: 'standard',
    stateDir: join(base, 'state'),
    home: join(base, 'home'),
    cacheDir: join(base, 'cache'),
    gitDir: join(tree, '.git'),
    writable: [],
    network: { agent: [], program: 'none', check: 'none', setup: 'none' },
  });
  const second = await ratio(['node', '-e', 'setTimeout(() => {}, 1000)']);
  const short = await ratio(['true']);
  const holds = second.ratio <= AT_MOST;
  console.log(
    `a command of one second: ${second.walled} / ${second.bare} ms = ${second.ratio.toFixed(3)}x (${holds ? 'holds' : 'MISSED'}: at most ${AT_MOST}x)`,
  );
  console.log(
    `the shortest command: ${short.walled} / ${short.bare} ms, ${short.walled - short.bare} ms each for the wall`,
  );
  process.exitCode = holds ? 0 : 1;

  /** In turns, so that neither has the quieter machine. */
  async function ratio(argv) {
    const times = { bare: [], walled: [] };
    for (let round = 0; round < ROUNDS; round++) {
      times.bare.push(await timed(argv, undefined));
      times.walled.push(await timed(argv, await walls.wallFor({ kind: 'check', tree })));
    }
    const [bare, walled] = [median(times.bare), median(times.walled)];
    return { bare: Math.round(bare), walled: Math.round(walled), ratio: walled / bare };
  }

  async function timed(argv, wall) {
    const began = performance.now();
    const env = { PATH: process.env.PATH, HOME: join(base, 'home') };
    const outcome = await runProcess({
      argv,
      cwd: tree,
      env,
      masker: createMasker([]),
      streams: 'merged',
      wall,
    });
    if (outcome.kind !== 'exited' || outcome.code !== 0) throw new Error(JSON.stringify(outcome));
    return performance.now() - began;
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
