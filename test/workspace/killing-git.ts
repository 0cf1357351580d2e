import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, start, tempFolder } from '../cli/support.ts';
import { EVERY, LOOKING_PATTERNS } from './looking.mjs';

/**
 * Counts the git commands of one process and kills that process at one of them. One that only looks counts when
 * something was written since the last one that counted; otherwise a kill at it leaves what was tried already. Each
 * takes its number by making a folder, because several run at once. Where and when stands beside it: git is given no
 * variable that it does not need.
 */
const GIT = `#!/bin/sh
. "$0.point"
only_looks() {
  while [ "$1" = -c ] || [ "$1" = --git-dir ]; do shift 2; done
  case "$* " in ${LOOKING_PATTERNS}) return 0;; esac
  return 1
}
state() { ls -lR "$KILL_WATCH/.git" "$KILL_WATCH/.loopwright" 2>/dev/null | cksum; }
if [ -z "$KILL_EVERY" ] && only_looks "$@"; then
  now=$(state)
  if [ "$now" = "$(cat "$KILL_COUNT.state" 2>/dev/null)" ]; then exec "$REAL_GIT" "$@"; fi
  echo "$now" >"$KILL_COUNT.state"
fi
n=1
while ! mkdir "$KILL_COUNT.$n" 2>/dev/null; do
  [ -d "$KILL_COUNT.$n" ] || exit 1
  n=$((n + 1))
done
if [ "$n" = "$KILL_AT" ] && [ "$KILL_WHEN" = before ]; then kill -9 $PPID; exit 1; fi
"$REAL_GIT" "$@"
code=$?
state >"$KILL_COUNT.state"
if [ "$n" = "$KILL_AT" ]; then kill -9 $PPID; fi
exit $code
`;

interface Point {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/**
 * The environment of a process whose git kills it at the nth call that counts, before or after that call has done its
 * work on the project. With LOOPWRIGHT_FAULTS=every they all count.
 */
export function killingEnvironment(folder: string, project: string): (point: Point) => NodeJS.ProcessEnv {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  let runs = 0;
  return ({ at, when }) => {
    const bin = join(folder, `bin-${runs++}`);
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'git'), GIT, { mode: 0o755 });
    const point = {
      REAL_GIT: real,
      KILL_COUNT: join(bin, 'count'),
      KILL_AT: String(at),
      KILL_WHEN: when,
      KILL_WATCH: project,
      KILL_EVERY: EVERY ? 'yes' : '',
    };
    const lines = Object.entries(point).map(([name, value]) => `${name}='${value}'`);
    writeFileSync(join(bin, 'git.point'), lines.join('\n'));
    return { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  };
}

/** Runs the shipped command and kills it at a point. */
export function killingGit(cwd: string): (args: readonly string[], point: Point) => Promise<Ended> {
  const environment = killingEnvironment(tempFolder(), cwd);
  return (args, point) => start(args, { cwd, env: environment(point) }).ended;
}

/**
 * Kills a command at every point, one after the other on what the last kill left, until it comes to its end.
 * Gives how many points there were.
 */
export async function killEverywhere(
  args: readonly string[],
  cwd: string,
  afterEach: () => void | Promise<void>,
): Promise<number> {
  const run = killingGit(cwd);
  for (let at = 1; ; at++) {
    for (const when of ['before', 'after'] as const) {
      const { code, stderr } = await run(args, { at, when });
      if (code === 0) return at;
      if (code !== null) throw new Error(`at command ${at} it ended with ${code}: ${stderr}`);
      await afterEach();
    }
  }
}
