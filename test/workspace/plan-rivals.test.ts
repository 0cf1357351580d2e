import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.ts';

describe('change plans of several processes', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-rivals-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('B-03 of processes that start at the same moment exactly one wins', async () => {
    const store = openStore(folder);
    const sessions = ['A', 'B', 'C', 'D'];
    for (const session of sessions) await store.plans.enter(session, ['same.ts']);
    const script = new URL('./plan-rival.mjs', import.meta.url);
    const rivals = sessions.map((id) => fork(script, [folder, id], { stdio: 'ignore' }));
    try {
      await Promise.all(rivals.map((rival) => once(rival, 'message')));
      for (const rival of rivals) rival.send('go');
      const answers = await Promise.all(rivals.map(async (rival) => (await once(rival, 'message'))[0]));
      expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    } finally {
      for (const rival of rivals) rival.kill('SIGKILL');
      store.close();
    }
  });
});
