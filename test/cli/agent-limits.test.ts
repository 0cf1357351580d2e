import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loopwright, type Place, write } from './support.ts';
import { repository } from './workspace-support.ts';

const circles = (length: number) => Array.from({ length }, () => ({ fetch: 'https://example.com/same' }));

/** One block whose agent looks at the same page so often before it writes. */
function project(times: number, limits?: object): Place {
  const cwd = repository({ 'a.txt': 'old\n' });
  write(cwd, {
    'script.json': {
      steps: [...circles(times), { write: { path: 'a.txt', content: 'new\n' } }, { say: 'done' }],
    },
    'flow.json': {
      workers: { W: { agent: 'scripted' } },
      nodes: {
        Main: {
          entry_block: 'Work',
          blocks: {
            Work: {
              worker: 'W',
              instructions: 'Work.',
              ...(limits === undefined ? {} : { limits }),
              transitions: [
                { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
                { on_signal: 'SIGNAL:FAIL_DEFAULT', action: 'HALT_AND_FLAG' },
              ],
            },
          },
        },
      },
    },
  });
  return { cwd, env: { LOOPWRIGHT_SCRIPT: join(cwd, 'script.json') } };
}

const run = (place: Place) => loopwright(['run', 'work', '-w', 'flow.json'], place);

test.each([{ sameTool: 3 }, { same_tool: 3 }])(
  'an agent that goes in circles is ended: %j',
  async (limits) => {
    const { stdout, code } = await run(project(5, limits));
    expect(code).toBe(2);
    expect(stdout).toContain('It called the same tool 3 times: web_fetch');
  },
);

test('a few equal calls are nobody’s business', async () => {
  const { stdout, code } = await run(project(5));
  expect(stdout).toContain('completed');
  expect(code).toBe(0);
});

test('the twelfth equal call is one too many where nobody says how many', async () => {
  const { stdout, code } = await run(project(12));
  expect(code).toBe(2);
  expect(stdout).toContain('It called the same tool 12 times: web_fetch');
});
