import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { it } from 'vitest';
import { checkedFolder } from './tree-folder.ts';
import { writeInTree, writingIn } from './tree-writer.ts';

it('stress', async () => {
  for (const [name, write] of [
    ['anchored', writeInTree],
    ['checked', writingIn(checkedFolder)],
  ] as const) {
    const f = mkdtempSync('/tmp/lw-zz-');
    mkdirSync(`${f}/tree/swapped`, { recursive: true });
    mkdirSync(`${f}/out/deep`, { recursive: true });
    const c = spawn('node', ['test/fake-agents/swap-folder.mjs', `${f}/tree/swapped`, `${f}/out`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(c.stdout, 'data');
    let w = 0,
      r = 0;
    const why: Record<string, number> = {};
    for (let i = 0; i < 40000; i++)
      await write(`${f}/tree`, `${f}/tree/swapped/${i % 2 ? 'file' : 'deep/file'}`, 'x').then(
        () => w++,
        (e: Error) => {
          r++;
          const k = e.message.replace(/\/\S+/g, 'P').slice(0, 60);
          why[k] = (why[k] ?? 0) + 1;
        },
      );
    c.kill('SIGKILL');
    await once(c, 'exit');
    console.log(
      name,
      {
        w,
        r,
        fds: readdirSync('/proc/self/fd').length,
        out: readdirSync(`${f}/out`, { recursive: true }).length,
      },
      why,
    );
    rmSync(f, { recursive: true, force: true });
  }
}, 200000);
