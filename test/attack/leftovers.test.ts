import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createRunner } from '../../src/agents/runner/pty.ts';
import { createMasker } from '../../src/kernel/mask.ts';
import { hasControlGroups } from '../../src/process/control-group.ts';
import { findSandbox } from '../../src/process/sandbox/sandbox.ts';
import { loopwright, tempFolder, write } from '../cli/support.ts';

const { sandbox } = await findSandbox();
const grouped = hasControlGroups();
const onLinux = process.platform === 'linux';

/** A number that only the process of one test sleeps for. */
let made = 0;
const nap = () => `9${process.pid}${String(++made).padStart(3, '0')}`;

function sleepers(seconds: string): number[] {
  const pids = onLinux ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`sleep\0${seconds}`) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

const naps: string[] = [];
afterEach(() => {
  for (const pid of naps.splice(0).flatMap(sleepers)) process.kill(pid, 'SIGKILL');
});

/** Ways to live on after the step that started one. Each of them worked. */
const WAYS: readonly [string, (seconds: string) => string, boolean][] = [
  ['nohup', (s) => `nohup sleep ${s} >/dev/null 2>&1 &`, false],
  ['setsid', (s) => `setsid sleep ${s} >/dev/null 2>&1 &`, false],
  ['an emptied environment', (s) => `env -i /usr/bin/setsid /bin/sleep ${s} >/dev/null 2>&1 &`, false],
  [
    'an emptied environment, another folder, no open files and a lost parent',
    (s) =>
      `(cd / && env -i /usr/bin/setsid /bin/sh -c 'exec </dev/null >/dev/null 2>&1; (/bin/sleep ${s} &) &' &)`,
    true,
  ],
  [
    'the environment of a person',
    (s) =>
      `(cd / && env -i HOME=/root USER=root TERM=xterm /usr/bin/setsid /bin/sleep ${s} >/dev/null 2>&1 &)`,
    true,
  ],
];

async function run(level: string, script: string) {
  const cwd = tempFolder();
  const block = { worker: 'Internal:Command', with: { argv: ['sh', 'leave.sh'] }, transitions: [] };
  write(cwd, { 'leave.sh': script, 'w.json': { nodes: { N: { entry_block: 'B', blocks: { B: block } } } } });
  const env = { HOME: join(cwd, 'home'), LOOPWRIGHT_SANDBOX: level };
  return loopwright(['run', 'leave', '-w', 'w.json', '--in-place', '--json'], { cwd, env });
}

/** Waits until the process is there, so that it is not the end of the step that keeps it from starting. */
const until = (seconds: string) => `\nuntil pgrep -f 'sleep ${seconds}' >/dev/null; do :; done\n`;

describe.skipIf(!onLinux)('a command that leaves a process', () => {
  // What hides better than the third is only found where the system keeps children together.
  it.each(WAYS.filter(([, , needsGroup]) => grouped || !needsGroup))(
    'by %s: it ends with the step, without a wall',
    async (_, way) => {
      const seconds = nap();
      naps.push(seconds);
      const { code, stdout } = await run('off', way(seconds) + until(seconds));
      expect(sleepers(seconds)).toEqual([]);
      expect(code).toBe(0);
      expect(stdout).toContain('loopwright ended what it left running');
    },
  );

  it.skipIf(sandbox === undefined).each(WAYS)(
    'by %s: it ends with the step, behind a wall',
    async (_, way) => {
      const seconds = nap();
      naps.push(seconds);
      const { code } = await run('standard', way(seconds) + until(seconds));
      expect(sleepers(seconds)).toEqual([]);
      expect(code).toBe(0);
    },
  );
});

describe.skipIf(!onLinux)('an agent that leaves a process', () => {
  it.each(['headless', 'interactive'] as const)(
    '%s: it ends with the agent, and that is told',
    async (mode) => {
      const seconds = nap();
      naps.push(seconds);
      const [, way] = WAYS[grouped ? 3 : 1] ?? WAYS[0] ?? ['', (s: string) => s];
      const cwd = tempFolder();
      // In a file: the words of a command line would be found before the process is there.
      write(cwd, { 'leave.sh': way(seconds) + until(seconds) });
      const runner = createRunner(mode, {
        adapter: { name: 'leaver', getLaunchConfig: () => ({ command: '/bin/sh', args: ['leave.sh'] }) },
        cwd,
        env: { PATH: process.env['PATH'] },
        masker: createMasker([]),
        marker: { session: `leave-${process.pid}-${made}`, step: 1 },
      });
      await runner.start();
      const end = await runner.ended;
      expect(sleepers(seconds)).toEqual([]);
      expect(end.left).toContain('ended what it left running');
    },
  );
});
