import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { write } from './support.ts';
import { repository } from './workspace-support.ts';

/** What the scripted agent plays, by a word of its prompt. */
const SCRIPT = {
  turns: [
    {
      when: 'write',
      steps: [
        { say: 'looking' },
        { write: { path: 'api.txt', content: 'api\n' } },
        { usage: { input: 900, output: 100, usd: 0.02 } },
        { say: 'wrote the api' },
      ],
    },
    {
      when: 'choose',
      steps: [
        { ask: { question: 'Which port?', choices: ['80', '8080'] } },
        { say: 'took {{answer}}' },
        { ask: { question: 'Which port?', choices: ['80', '8080'] } },
        { say: 'then {{answer}}' },
      ],
    },
    { when: 'talk', steps: [{ say: 'hello there' }] },
    { when: 'hang', steps: [{ say: 'thinking' }, { hang: true }] },
    { when: 'quota', steps: [{ quota: { inMs: 1500 } }] },
  ],
};
export const headless = (id: string, prompt: string, more: object = {}) => ({
  id,
  adapter: 'scripted',
  executionMode: 'headless',
  prompt,
  ...more,
});
export const stages = (...tasks: object[][]) => ({ id: 'p', stages: tasks.map((list) => ({ tasks: list })) });

/** Nobody sits in front of a test: who answers its agents does so from elsewhere. */
export const ANSWERED_ELSEWHERE = { questions: { minutes: 10 } };

export function project(pipeline: object, config?: object): { cwd: string; env: NodeJS.ProcessEnv } {
  const cwd = repository({ 'script.json': SCRIPT, 'p.json': pipeline });
  if (config) write(cwd, { '.loopwright/config.json': config });
  return { cwd, env: { LOOPWRIGHT_SCRIPT: join(cwd, 'script.json') } };
}

export function sessionOf(cwd: string): string {
  return readdirSync(join(cwd, '.loopwright/sessions'))[0] ?? '';
}
