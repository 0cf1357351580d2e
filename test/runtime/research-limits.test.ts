import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';

it('RES-02 research says which limits hold for it, from its profile and from the configuration', async () => {
  const cwd = tempFolder();
  write(cwd, {
    '.loopwright/config.json': {
      budget: { minutes: 12, steps: 40, day: { runs: 0, tokens: 5000 } },
      research: { reasks: 1 },
    },
    'script.json': { steps: [{ say: 'no answer' }] },
  });
  const env = { LLM_EXECUTOR: 'scripted', LOOPWRIGHT_SCRIPT: join(cwd, 'script.json') };
  const { stdout } = await loopwright(['research', 'why?', '--profile', 'high', '--trust'], { cwd, env });
  expect(stdout).toContain(
    'profile high: at most 8 claims, each with 4 sources of 3 domains and 2 searches for the opposite',
  );
  expect(stdout).toContain('each stage may take 30 minutes and use 40 steps, 12 minutes');
  expect(stdout).toContain('an answer that cannot be read is asked for 1 more time');
  expect(stdout).toContain('all runs of the project may use 0 runs, 5000 tokens a day');
  expect(stdout).toContain('! nothing is started before there is more of');
});
