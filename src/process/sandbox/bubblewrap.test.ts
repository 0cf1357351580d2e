import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapOptions } from './bubblewrap.ts';
import { findSandbox } from './sandbox.ts';

const { sandbox } = await findSandbox();

describe.runIf(sandbox?.name === 'bubblewrap')('the options of bubblewrap', () => {
  it('start the child although a file of the home was removed after it was looked at', () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'lw-bwrap-')));
    try {
      for (const name of ['home', 'tree', 'scratch', 'tmp']) mkdirSync(join(base, name));
      const tree = join(base, 'tree');
      const gone = join(base, 'home/was-here');
      const enclosure = {
        tree,
        home: join(base, 'home'),
        scratch: { home: join(base, 'scratch'), tmp: join(base, 'tmp') },
        network: 'none' as const,
        visible: [gone],
        shown: [],
        hidden: [],
        guarded: [],
        writable: [],
      };
      const options = bubblewrapOptions(enclosure, tree, (path) =>
        path.startsWith(base) ? 'folder' : undefined,
      );
      expect(options).toContain(gone);
      const bwrap = sandbox?.enclose([], enclosure, tree)[0] ?? '';
      expect(execFileSync(bwrap, [...options, '/bin/pwd'], { encoding: 'utf8' })).toBe(`${tree}\n`);
    } finally {
      rmSync(base, { recursive: true });
    }
  });
});
