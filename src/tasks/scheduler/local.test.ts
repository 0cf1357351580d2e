import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { COOL_DOWN_MS, TestClock, type World } from '../../../test/tasks/conformance/bench.ts';
import { describeScheduler } from '../../../test/tasks/conformance/suite.ts';
import { ownIdentity } from '../../process/identity.ts';
import { Database } from '../../store/database.ts';
import { Backlog } from '../backlog/backlog.ts';
import { LocalScheduler } from './local.ts';

describe('RUN-11 RUN-12 ST-08 B-14 what every scheduler promises', () => {
  describeScheduler('local', openWorld);
});

function openWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), 'lw-scheduler-'));
  const clock = new TestClock();
  const databases: Database[] = [];
  const open = (): Database => {
    const database = Database.open(join(folder, 'loopwright.db'));
    databases.push(database);
    return database;
  };
  const options = { clock, coolDownMs: COOL_DOWN_MS, lookEveryMs: 0 };
  const own = open();
  return {
    clock,
    backlog: new Backlog(own, { clock }),
    scheduler: new LocalScheduler(own, options),
    rival({ dead } = {}) {
      const owner = { ...ownIdentity(), ...(dead ? { startTime: 'of a process that is gone' } : {}) };
      return new LocalScheduler(open(), { ...options, owner });
    },
    close() {
      for (const database of databases) database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
