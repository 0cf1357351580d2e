import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasControlGroups } from '../../src/process/control-group.ts';
import { findSandbox } from '../../src/process/sandbox/sandbox.ts';
import { appears, loopwright, start, tempFolder, write } from '../cli/support.ts';

const { sandbox } = await findSandbox();
// Elsewhere one that hides so well is only kept out by a wall.
const grouped = hasControlGroups();
const command = join(import.meta.dirname, '../../dist/bin/loopwright.js');

const HIDDEN = `
(env -i PATH="$PATH" HOME="$HOME" setsid "$1" "$2" interrupt "$3" --reason 'by hidden' --dir "$4" > hidden.out 2>&1; echo done > hidden.done) &
`;

/** A child of the session that tries to decide for the person: by the command, with and without its marks, and by the socket. */
const INTRUDER = `
const fs = require('fs'), net = require('net'), path = require('path');
const { spawnSync } = require('child_process');
const [main, command, hides] = process.argv.slice(2);
const told = {};
const folder = path.join(main, '.loopwright/sessions');
const id = fs.readdirSync(folder)[0] ?? 'not-seen';
const run = (name, env) => {
  const done = spawnSync(process.execPath, [command, 'interrupt', id, '--reason', 'by ' + name, '--dir', main], { env, encoding: 'utf8', cwd: main });
  told[name] = [done.status, done.stderr];
};
const { LOOPWRIGHT_SESSION, LOOPWRIGHT_EPOCH, LOOPWRIGHT_STEP, ...unmarked } = process.env;
run('command', process.env);
run('unmarked', unmarked);
// Without a parent, an environment or a session that could be traced back.
if (hides === 'yes') {
  spawnSync('sh', ['hidden.sh', process.execPath, command, id, main], { stdio: 'ignore' });
  while (!fs.existsSync('hidden.done')) spawnSync('sleep', ['0.05']);
  told.hidden = fs.readFileSync('hidden.out', 'utf8');
}
const finish = () => { fs.writeFileSync('draft', JSON.stringify(told)); fs.renameSync('draft', 'told.json'); setInterval(Date, 1000); };
try {
  const { socket: at } = JSON.parse(fs.readFileSync(path.join(folder, id, 'session.json'), 'utf8'));
  const key = fs.readFileSync(path.join(folder, id, 'control.key'), 'utf8');
  const client = net.connect(at);
  let heard = '';
  client.on('data', (data) => {
    heard += data;
    const lines = heard.split('\\n');
    if (lines.length === 2) {
      fs.openSync(JSON.parse(lines[0]).proof, 'r');
      client.write(JSON.stringify({ do: 'enter', key, pid: process.pid }) + '\\n');
    } else if (lines.length === 3) {
      told.entered = JSON.parse(lines[1]);
      client.write(JSON.stringify({ do: 'abort', reason: 'by socket' }) + '\\n');
    } else if (lines.length === 4) { told.aborted = JSON.parse(lines[2]); finish(); }
  });
  client.on('error', (error) => { told.entered = error.code; finish(); });
} catch (error) { told.entered = error.code; finish(); }
`;

async function intruded(level: string) {
  const base = tempFolder();
  const cwd = join(base, 'home', 'project');
  mkdirSync(cwd, { recursive: true });
  const block = {
    worker: 'Internal:Command',
    with: { argv: ['node', 'intruder.js', cwd, command, grouped ? 'yes' : 'no'] },
    transitions: [],
  };
  write(cwd, {
    'intruder.js': INTRUDER,
    'hidden.sh': HIDDEN,
    'w.json': { nodes: { N: { entry_block: 'B', blocks: { B: block } } } },
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', ...args], { cwd });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'start');
  const place = { cwd, env: { HOME: join(base, 'home'), LOOPWRIGHT_SANDBOX: level } };
  const run = start(['run', 'hang', '-w', 'w.json', '--json'], place);
  await run.saw('"type":"session.reachable"');
  await run.saw('"type":"step.started"');
  const [id = ''] = readdirSync(join(cwd, '.loopwright/sessions'));
  const tree = join(cwd, '.loopwright/worktrees', id);
  await appears(tree, 'told.json');
  const told = JSON.parse(readFileSync(join(tree, 'told.json'), 'utf8')) as Record<string, unknown>;
  // A person in a second terminal is heard.
  const person = await loopwright(['interrupt', id, '--reason', 'lunch'], place);
  expect([person.code, person.stderr]).toEqual([0, '']);
  const ended = await run.ended;
  expect(ended.stdout).toContain('lunch');
  expect(ended.stdout).not.toMatch(/by (?:command|unmarked|socket|hidden)/);
  return told;
}

describe('a child of a session that answers, interrupts or aborts it', () => {
  it('is refused by the command, with and without its marks, and by the socket although it has the key', async () => {
    const told = await intruded('off');
    expect(told['command']).toEqual([1, expect.stringContaining('only a person decides')]);
    expect(told['unmarked']).toEqual([1, expect.stringContaining('is not steered from inside')]);
    if (grouped) expect(told['hidden']).toContain('is not steered from inside');
    expect(told['entered']).toMatchObject({ problem: expect.stringContaining('is not steered from inside') });
    expect(told['aborted']).toMatchObject({ problem: expect.stringContaining('have said who they are') });
  });

  it.skipIf(sandbox === undefined)('behind a wall sees neither the key nor the socket', async () => {
    const told = await intruded('standard');
    expect(told['command']).toEqual([1, expect.stringContaining('only a person decides')]);
    expect(told['unmarked']).toEqual([1, expect.any(String)]);
    expect(told['entered']).toBe('ENOENT');
  });
});
