import { expect, it } from 'vitest';
import { loopwright } from '../cli/support.ts';
import { project } from './lab.ts';

/** For a person with a key: LOOPWRIGHT_LIVE_MODEL=anthropic/claude-haiku-4-5 npx vitest run test/models/live.test.ts */
const model = process.env['LOOPWRIGHT_LIVE_MODEL'] ?? '';

it.skipIf(model === '')('a real model makes two and two four, for less than a dollar', async () => {
  const cwd = project();
  const goal = 'make the failing test pass by correcting sum.js';
  const args = ['run', goal, '--agent', model, '--budget', 'usd=1,minutes=10'];
  const { code, stdout, stderr } = await loopwright(args, { cwd, env: process.env });
  expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('completed')]);
});
