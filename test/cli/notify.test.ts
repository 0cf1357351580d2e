import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { terminalSettings } from '../../src/config/terminal.ts';
import { loopwright, tempFolder, write } from './support.ts';

const flow = (worker: object) => ({
  nodes: {
    Main: {
      entry_block: 'A',
      blocks: { A: { ...worker, transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }] } },
    },
  },
});
const QUESTION = { worker: 'Internal:AskHuman', with: { question: 'Which port?' } };
const PROGRAM = { worker: 'Internal:Command', with: { argv: ['node', '-e', '0'] } };
/** Appends what it is told. */
const KEEP =
  "let s='';process.stdin.on('data',d=>s+=d).on('end',()=>require('fs').appendFileSync('told.jsonl',s+'\\n'))";

function project(notify: object, worker: object, env: NodeJS.ProcessEnv = {}) {
  const cwd = tempFolder();
  write(cwd, { 'flow.json': flow(worker), '.loopwright/config.json': { notify } });
  const run = () => loopwright(['run', 'open a port', '--workflow', 'flow.json'], { cwd, env });
  const told = () =>
    readFileSync(join(cwd, 'told.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { cwd, run, told };
}

test('a command is told of a question with what can be done, and of a finished run', async () => {
  const asking = project({ command: ['node', '-e', KEEP] }, QUESTION);
  expect((await asking.run()).code).toBe(2);
  expect(asking.told()).toEqual([
    expect.objectContaining({
      event: 'question',
      title: 'open a port',
      message: 'Which port?',
      project: asking.cwd,
      actions: expect.arrayContaining([expect.objectContaining({ id: 'session.answer' })]),
    }),
  ]);
  const done = project({ command: ['node', '-e', KEEP] }, PROGRAM);
  await done.run();
  expect(done.told()).toMatchObject([{ event: 'finished' }]);
  const quiet = project({ command: ['node', '-e', KEEP], events: ['halted'] }, PROGRAM);
  await quiet.run();
  expect(quiet.told).toThrow('ENOENT');
});

test('a webhook on this machine gets it with the secret of the named variable, and nothing without it', async () => {
  const got: { secret: unknown; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      got.push({ secret: request.headers['x-key'], body });
      response.end();
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const webhook = { url, header: 'X-Key', secret: 'HOOK_KEY' };
  expect((await project({ webhook }, QUESTION, { HOOK_KEY: 'very-secret-key' }).run()).code).toBe(2);
  expect(got).toEqual([{ secret: 'very-secret-key', body: expect.stringContaining('Which port?') }]);
  const without = await project({ webhook }, PROGRAM).run();
  expect([without.code, without.stdout]).toEqual([
    0,
    expect.stringContaining('notify.webhook failed: the variable HOOK_KEY for its secret is not set'),
  ]);
  expect(got).toHaveLength(1);
});

test('a notification that fails is told and stops nothing; an address in the open is refused', async () => {
  const failing = await project({ command: ['no-such-notifier'] }, PROGRAM).run();
  expect([failing.code, failing.stdout]).toEqual([
    0,
    expect.stringContaining('notify.command failed: no-such-notifier'),
  ]);
  const open = await project({ webhook: { url: 'http://example.com/hook' } }, PROGRAM).run();
  expect(open.stderr).toContain('notify.webhook.url: must be https, or http on this machine');
});

test('what notifies is part of what is trusted', async () => {
  const { cwd } = project(
    { command: ['notify-me', '-a'], webhook: { url: 'https://example.com/x' } },
    PROGRAM,
  );
  const { stdout } = await loopwright(['trust', '--dry-run'], { cwd });
  expect(stdout).toContain('to notify you: notify-me -a');
  expect(stdout).toContain('sends notifications to https://example.com/x');
});

test('a terminal is asked for a notification only where it is known to show one', () => {
  const how = (env: NodeJS.ProcessEnv, tty = true) => terminalSettings(tty, env).notification;
  expect(how({ TERM_PROGRAM: 'WezTerm' })).toBe('osc9');
  expect(how({ TERM: 'foot' })).toBe('osc777');
  expect(how({ TERM: 'xterm-256color' })).toBeUndefined();
  expect(how({ TERM_PROGRAM: 'WezTerm', TMUX: '/tmp/x' })).toBeUndefined();
  expect(how({ TERM_PROGRAM: 'WezTerm' }, false)).toBeUndefined();
});
