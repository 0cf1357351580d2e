// Several real processes work one backlog off while some of them are killed, stopped and continued.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { openStore } from '../../../dist/store/open.js';
import { dice } from './dice.mjs';
import { judgeNotes, judgeRows } from './judge.mjs';

const RIVAL = fileURLToPath(new URL('./rival.mjs', import.meta.url));
/** How long a lock may be held before a stopped process is taken for its holder. */
const HELD_MS = 500;

/** `every`: how many notes lie between two disturbances. */
export async function contend({ processes, tasks, seed, every }) {
  const folder = mkdtempSync(join(tmpdir(), 'lw-contention-'));
  const lab = new Lab(folder, { processes, seed, every });
  try {
    return await lab.run(tasks);
  } finally {
    lab.close();
    rmSync(folder, { recursive: true });
  }
}

class Lab {
  #folder;
  #file;
  #log;
  #options;
  #roll;
  #store;
  #rows;
  #rivals = new Set();
  #stopped;
  #wakesWith;
  #disturbed = new Set();
  #started = 0;
  #errors = '';
  counts = { kills: 0, stops: 0, insideTransaction: 0 };

  constructor(folder, options) {
    this.#folder = folder;
    this.#file = join(folder, 'loopwright.db');
    this.#log = join(folder, 'notes');
    this.#options = options;
    this.#roll = dice(options.seed);
    writeFileSync(this.#log, '');
    this.#store = openStore(folder);
    this.#rows = new Libsql(this.#file);
    this.#rows.exec('pragma busy_timeout = 15000');
  }

  async run(tasks) {
    const { backlog } = this.#store;
    await backlog.add(Array.from({ length: tasks }, (_, i) => this.#draft(i)));
    const began = performance.now();
    for (let i = 0; i < this.#options.processes; i++) this.#start();
    await this.#disturbUntilDone();
    const seconds = (performance.now() - began) / 1000;
    const { wrong, refused } = judgeNotes(this.#notes(), this.#disturbed);
    const rows = await judgeRows(backlog);
    return { ...this.counts, refused, seconds, errors: this.#errors, wrong: [...wrong, ...rows] };
  }

  close() {
    for (const rival of this.#rivals) rival.kill('SIGKILL');
    this.#rows.close();
    this.#store.close();
  }

  /** Some share a folder, so that clashes are part of it; some depend on the one before. */
  #draft(i) {
    return {
      title: `task ${i}`,
      priority: 100 + Math.floor(this.#roll() * 3),
      allowedPaths: i % 3 === 0 ? [`src/${i % 17}/**`] : [`lib/${i}.ts`],
      dependencies: i % 10 === 9 ? [`task ${i - 1}`] : [],
    };
  }

  #start() {
    const seed = String(this.#options.seed * 1000 + ++this.#started);
    const rival = spawn(process.execPath, [RIVAL, this.#folder, this.#log, seed], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    rival.stderr.setEncoding('utf8').on('data', (text) => {
      this.#errors += text;
    });
    this.#rivals.add(rival);
    rival.ended = new Promise((resolve) => {
      rival.once('exit', () => {
        this.#rivals.delete(rival);
        resolve();
      });
    });
  }

  async #disturbUntilDone() {
    let next = this.#options.every;
    const watcher = watch(this.#folder);
    let wake;
    watcher.on('change', () => wake?.());
    while (this.#rivals.size > (this.#stopped ? 1 : 0)) {
      const changed = new Promise((resolve) => {
        wake = resolve;
      });
      if (this.#isReplaced()) this.#continue();
      if (this.#count() >= next) {
        next = this.#count() + this.#options.every;
        await this.#disturb();
      } else await Promise.race([changed, ...[...this.#rivals].map((rival) => rival.ended)]);
    }
    watcher.close();
    const last = this.#stopped;
    this.#continue();
    await last?.ended;
  }

  /** Whoever is stopped is continued at the next disturbance, long after others took its task. */
  async #disturb() {
    if (this.#stopped) return this.#continue();
    const rivals = [...this.#rivals];
    const victim = rivals[Math.floor(this.#roll() * rivals.length)];
    if (!victim) return;
    this.#disturbed.add(victim.pid);
    if (this.#roll() < 0.5) {
      victim.kill('SIGKILL');
      await victim.ended;
      this.counts.kills += 1;
      this.#start();
    } else await this.#stop(victim);
  }

  async #stop(victim) {
    victim.kill('SIGSTOP');
    if (!this.#isFree()) {
      this.counts.insideTransaction += 1;
      victim.kill('SIGCONT');
      return;
    }
    this.#stopped = victim;
    this.counts.stops += 1;
    const [lease] = this.#rows.prepare('select task, epoch from lease where pid = ?').all([victim.pid]);
    if (!lease) return;
    // As if its time had run out while it stood still, for all that it holds: nobody else would be left to wake it.
    this.#rows.prepare('update lease set expires_at = 1, lease_ms = 1 where pid = ?').run([victim.pid]);
    this.#wakesWith = lease;
  }

  /** Its task has a new owner: half of the time that is the moment to wake up, else long after. */
  #isReplaced() {
    const { task, epoch } = this.#wakesWith ?? {};
    if (task === undefined || !this.#notes().some((note) => note.task === task && note.epoch > epoch))
      return false;
    this.#wakesWith = undefined;
    return this.#roll() < 0.5;
  }

  #continue() {
    this.#stopped?.kill('SIGCONT');
    this.#stopped = undefined;
    this.#wakesWith = undefined;
  }

  /** A process that was stopped while it wrote keeps everybody else waiting; that is not what is tested here. */
  #isFree() {
    const connection = new Libsql(this.#file);
    try {
      connection.exec(`pragma busy_timeout = ${HELD_MS}`);
      connection.exec('begin immediate');
      connection.exec('rollback');
      return true;
    } catch {
      return false;
    } finally {
      connection.close();
    }
  }

  #count() {
    return readFileSync(this.#log, 'utf8').split('\n').length - 1;
  }

  #notes() {
    const lines = readFileSync(this.#log, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }
}
