import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** One row of the system's list of processes. */
export interface ProcessRow {
  readonly pid: number;
  readonly group: number;
  readonly parent: number;
  /** `Z`: it has ended and only waits for its parent to notice. */
  readonly state: string;
  /** Together with the pid unique; on Linux across restarts of the machine and containers of one host name, too. */
  readonly startTime: string;
}

export interface ProcessTable {
  row(pid: number): ProcessRow | undefined;
  /** Those with a higher number than `above` only, where that is given. */
  rows(above?: number): ProcessRow[];
  /** The environment a process was started with; undefined where the system does not show it to us. */
  environment(pid: number): string | undefined;
  /** The folder it works in; undefined where the system does not show it to us. */
  folder(pid: number): string | undefined;
  /** What it is called, for people. */
  name(pid: number): string;
}

export const linuxProcesses: ProcessTable = {
  row(pid) {
    const stat = readProc(`${pid}/stat`);
    return stat === undefined ? undefined : parseStat(pid, stat);
  },
  rows(above = 0) {
    const found: ProcessRow[] = [];
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      // What has no number for a name is no process.
      const row = pid > above ? this.row(pid) : undefined;
      if (row) found.push(row);
    }
    return found;
  },
  environment: (pid) => readProc(`${pid}/environ`),
  folder: (pid) => linkOf(`/proc/${pid}/cwd`),
  name: (pid) => readProc(`${pid}/comm`)?.trim() ?? 'a process',
};

/**
 * For systems without /proc. A start time is only as exact as `ps` prints it, to the second, and
 * environments stay unknown, so a child that left its group cannot be found.
 */
export const portableProcesses: ProcessTable = {
  row: (pid) => ps(['-p', String(pid)])[0],
  rows: (above = 0) => ps(['-A']).filter((row) => row.pid > above),
  environment: () => undefined,
  folder: () => undefined,
  name: () => 'a process',
};

export const systemProcesses: ProcessTable =
  process.platform === 'linux' ? linuxProcesses : portableProcesses;

/** More than any machine starts. */
const STARTS_PER_SECOND = 50_000;

/**
 * Who may have begun after a process, as far as their numbers tell: Linux gives them in order, and starts again from
 * below at the highest one. `anybody` where that may have happened since.
 */
export function begunAfter(pid: number, ageMs: number): 'anybody' | 'higher numbers' | 'nobody' {
  const last = Number(readProc('loadavg')?.trim().split(' ').at(-1));
  highestNumber ??= Number(readProc('sys/kernel/pid_max'));
  const isInOrder = last >= pid && ageMs * STARTS_PER_SECOND < highestNumber * 1000;
  if (!isInOrder) return 'anybody';
  return last === pid ? 'nobody' : 'higher numbers';
}

let highestNumber: number | undefined;

/** The name in parentheses may itself contain blanks and parentheses, so fields count from the last one. */
function parseStat(pid: number, stat: string): ProcessRow | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const startTicks = fields[19];
  if (state === undefined || group === undefined || startTicks === undefined) return undefined;
  const { boot, machine, namespace } = thisTable();
  const startTime = `${boot}:${startTicks}:${machine}/${namespace}`;
  return { pid, parent: Number(parent), group: Number(group), state, startTime };
}

let knownTable: { readonly [part in 'boot' | 'machine' | 'namespace']: string } | undefined;

/** Which list of processes this is: of which start of which machine, and of which container on it. */
function thisTable(): NonNullable<typeof knownTable> {
  knownTable ??= {
    boot: readProc('sys/kernel/random/boot_id')?.trim() ?? 'unknown-boot',
    machine: readText('/etc/machine-id')?.trim().slice(0, 12) ?? '',
    namespace: /\d+/.exec(linkOf('/proc/self/ns/pid') ?? '')?.[0] ?? '',
  };
  return knownTable;
}

function readProc(path: string): string | undefined {
  return readText(`/proc/${path}`);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Gone since it was listed, or another user's: either way not ours to see.
    return undefined;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // As above.
    return undefined;
  }
}

function ps(which: string[]): ProcessRow[] {
  const columns = ['-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='];
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
  try {
    const text = execFileSync('ps', [...which, ...columns], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.split('\n').flatMap((line) => parsePsLine(line) ?? []);
  } catch {
    // `ps` exits with 1 when no process matches.
    return [];
  }
}

function parsePsLine(line: string): ProcessRow | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S)\S*\s+(.+?)\s*$/.exec(line);
  const [, pid, parent, group, state, startTime] = match ?? [];
  if (pid === undefined || group === undefined || state === undefined || startTime === undefined)
    return undefined;
  return { pid: Number(pid), parent: Number(parent), group: Number(group), state, startTime };
}
