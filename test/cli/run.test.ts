import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { isEndedState } from '../../src/process/identity.ts';
import { systemProcesses } from '../../src/process/process-table.ts';
import { appears, jsonLines, loopwright, paste, start, tempFolder, wholeId, write } from './support.ts';

/** A program worker: hangs on its first run, answers on every later one. */
const HANGS_ONCE = `
import { existsSync, writeFileSync } from 'node:fs';
if (existsSync('ran-before')) process.stdout.write(JSON.stringify({ segments: [{ type: 'NOTE', content: 'done' }] }));
else {
  writeFileSync('ran-before', String(process.pid));
  process.stderr.write('hanging now\\n');
  setInterval(() => {}, 1000);
}
`;

const TWO_BLOCKS = {
  nodes: {
    Main: {
      entry_block: 'First',
      blocks: {
        First: {
          worker: 'Internal:Command',
          with: { argv: ['node', '-e', 'require("fs").appendFileSync("first-runs", "x")'] },
          transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Second' }],
        },
        Second: { worker: 'Agent', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }] },
      },
    },
  },
  workers: { Agent: { command: ['node', 'agent.mjs'] } },
};

function project(): string {
  const cwd = tempFolder();
  write(cwd, { 'w.json': TWO_BLOCKS, 'agent.mjs': HANGS_ONCE });
  return cwd;
}

test('Ctrl-C ends the block, leaves the session resumable and says how', async () => {
  const cwd = project();
  const run = start(['run', 'go', '--workflow', 'w.json'], { cwd });
  await appears(cwd, 'ran-before');
  run.child.kill('SIGINT');
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(stdout).toContain('interrupted by a person');
  const id = wholeId(/session (\w{6})/.exec(stdout)?.[1]);
  expect(stdout).toMatch(new RegExp(`resume ${shortId(id)}`));
  const resumed = await loopwright(['resume', id.slice(-4)], { cwd });
  expect(resumed.code).toBe(0);
  expect(readFileSync(join(cwd, 'first-runs'), 'utf8')).toBe('x');
});

/** Its agent and a child of that agent that left its process group do not react to SIGTERM. */
function stubbornProject(): string {
  const cwd = project();
  write(cwd, {
    'agent.mjs': `
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
if (existsSync('told')) process.stdout.write('{"segments": []}');
else {
  const wait = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
  const child = spawn(process.execPath, ['-e', wait], { detached: true, stdio: 'ignore' });
  process.on('SIGTERM', () => writeFileSync('told', ''));
  writeFileSync('pids', JSON.stringify([process.pid, child.pid]));
  writeFileSync('ready', '');
  setInterval(() => {}, 1000);
}
`,
  });
  return cwd;
}

test.each([[['--json']], [[]]])(
  'a second Ctrl-C kills what runs, says how to go on and ends at once (%j)',
  async (json) => {
    const cwd = stubbornProject();
    const run = start(['run', 'go', '--workflow', 'w.json', ...json], { cwd });
    await appears(cwd, 'ready');
    run.child.kill('SIGINT');
    await appears(cwd, 'told');
    run.child.kill('SIGINT');
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    const id = wholeId(/resume (\w+)/.exec(stdout)?.[1]);
    if (json.length > 0) {
      expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'result', session: id, exitCode: 130 });
    } else expect(stdout).toMatch(/ended at once; [^]*next: .*\n {2}.* resume \w{6}\n/);
    const pids = JSON.parse(readFileSync(join(cwd, 'pids'), 'utf8')) as number[];
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, process.platform !== 'linux']));
    expect((await loopwright(['resume', id], { cwd })).code).toBe(0);
  },
);

function isRunning(pid: number): boolean {
  const row = systemProcesses.row(pid);
  return row !== undefined && !isEndedState(row.state);
}

test('--json ends with a result line however the run ended', async () => {
  const cwd = project();
  const last = async (...args: string[]) => {
    const { code, stdout, stderr } = await loopwright([...args, '--json'], { cwd });
    return { code, stderr, result: jsonLines(stdout).at(-1) };
  };
  const unreadable = await last('run', 'go', '--workflow', 'none.json');
  expect(unreadable).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: /),
    result: {
      type: 'result',
      session: null,
      status: null,
      exitCode: 1,
      error: {
        kind: 'invalid',
        message: expect.any(String),
        next: { id: 'advise', label: expect.any(String) },
      },
    },
  });
  expect(await last('resume', 'nosuchsession')).toMatchObject({
    code: 1,
    result: { type: 'result', exitCode: 1 },
  });
  // Another owner appears in the middle of a step.
  write(cwd, {
    'agent.mjs': `
import { readdirSync, writeFileSync } from 'node:fs';
const sessions = '.loopwright/sessions/';
writeFileSync(sessions + readdirSync(sessions)[0] + '/journal.2.jsonl', '');
`,
  });
  expect(await last('run', 'go', '--workflow', 'w.json')).toMatchObject({
    code: 1,
    result: {
      type: 'result',
      session: expect.stringMatching(/^\w{26}$/),
      exitCode: 1,
      error: { message: expect.stringContaining('was taken over') },
    },
  });
});

test('SIGTERM ends it in the same way with its own code', async () => {
  const cwd = project();
  const run = start(['run', 'go', '--workflow', 'w.json', '--json'], { cwd });
  await run.saw('hanging now');
  run.child.kill('SIGTERM');
  const { code, stdout } = await run.ended;
  expect(code).toBe(143);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'result', status: 'halted', exitCode: 143 });
});

test('after kill -9, ps shows the dead owner and resume continues without repeating a step', async () => {
  const cwd = project();
  const run = start(['run', 'go', '--workflow', 'w.json', '--json'], { cwd });
  await run.saw('hanging now');
  const living = JSON.parse((await loopwright(['ps', '--json'], { cwd })).stdout).sessions as {
    state: string;
  }[];
  expect(living).toMatchObject([{ state: 'running', owner: { pid: run.child.pid } }]);
  const busy = await loopwright(['resume', (living[0] as unknown as { id: string }).id], { cwd });
  expect(busy.code).toBe(1);
  expect(busy.stderr).toContain(`is being run by process ${run.child.pid}`);
  run.child.kill('SIGKILL');
  await run.ended;
  const dead = await loopwright(['ps'], { cwd });
  expect(dead.stdout).toMatch(/dead .*Main__Second/);
  const id = wholeId(/^([0-9A-Z]{6}) /m.exec(dead.stdout)?.[1]);
  const agent = Number(readFileSync(join(cwd, 'ran-before'), 'utf8'));
  const resumed = await loopwright(['resume', id], { cwd });
  expect([resumed.code, resumed.stderr]).toEqual([0, '']);
  const left = systemProcesses.row(agent);
  expect(left === undefined || isEndedState(left.state)).toBe(true);
  expect(readFileSync(join(cwd, 'first-runs'), 'utf8')).toBe('x');
});

test('B-05: a stepping run halts before every block; step runs exactly one, resume runs on', async () => {
  const cwd = tempFolder();
  const block = (next?: string) => ({
    worker: 'Internal:Command',
    with: { argv: ['node', '-e', '0'] },
    transitions: next ? [{ on_signal: 'SIGNAL:SUCCESS', action: `JUMP:${next}` }] : [],
  });
  write(cwd, {
    'w.json': {
      Main: { entry_block: 'A', blocks: { A: block('B'), B: block('C'), C: block('D'), D: block() } },
    },
  });
  const halted = await loopwright(['run', 'go', '--workflow', 'w.json', '--step'], { cwd });
  expect(halted.code).toBe(2);
  expect(halted.stdout).toContain('next is Main__A');
  const id = wholeId(/session (\w{6})/.exec(halted.stdout)?.[1]);
  const first = await loopwright(['step', id, '--guidance', 'slowly'], { cwd });
  expect([first.code, first.stdout]).toEqual([2, expect.stringContaining('next is Main__B')]);
  const second = await loopwright(['step', id, '--json'], { cwd });
  expect(jsonLines(second.stdout).at(-1)).toMatchObject({ halt: { reason: 'step' }, used: { steps: 2 } });
  const payload = await loopwright(['show', id, '--payload'], { cwd });
  expect(payload.stdout).toMatch(/HUMAN_GUIDANCE[^]*slowly/);
  const last = await loopwright(['resume', id], { cwd });
  expect([last.code, last.stdout]).toEqual([0, expect.stringContaining('completed in 4 steps')]);
});

test('a question halts; the answer can be given by resume', async () => {
  const cwd = tempFolder();
  const ends = (signal: string) => ({ on_signal: signal, action: 'RETURN' });
  const blocks = {
    Ask: {
      worker: 'Internal:AskHuman',
      with: { question: 'Which way?', choices: ['left', 'right'] },
      transitions: [ends('SIGNAL:LEFT'), ends('SIGNAL:RIGHT')],
    },
  };
  write(cwd, { 'w.json': { Main: { entry_block: 'Ask', blocks } } });
  const asked = await loopwright(['run', 'go', '--workflow', 'w.json', '--json'], { cwd });
  const result = jsonLines(asked.stdout).at(-1) as { session: string };
  expect(asked.code).toBe(2);
  expect(result).toMatchObject({ halt: { reason: 'question', question: { choices: ['left', 'right'] } } });
  const wrong = await loopwright(['resume', result.session, '--answer', 'rigth'], { cwd });
  expect(wrong.stderr).toContain('Did you mean "right"?');
  expect((await loopwright(['resume', result.session, '--answer', 'right'], { cwd })).code).toBe(0);
});

test('a failing agent is a failed session with a message, and retry runs the block again', async () => {
  const cwd = project();
  write(cwd, { 'agent.mjs': 'process.stderr.write("no quota for you"); process.exit(3);' });
  const failed = await loopwright(['run', 'go', '--workflow', 'w.json'], { cwd });
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/^error: .*\nnext: /);
  expect(failed.stderr).not.toMatch(/^ +at /m);
  write(cwd, { 'agent.mjs': HANGS_ONCE, 'ran-before': '' });
  const id = wholeId(/session (\w{6})/.exec(failed.stdout)?.[1]);
  expect(failed.stdout).toContain(`retry ${shortId(id)}`);
  expect((await loopwright(['retry', id], { cwd })).code).toBe(0);
});

test('a workflow whose worker is not configured says how to configure it, and config.json then runs it', async () => {
  const cwd = tempFolder();
  const refused = await loopwright(['run', 'go'], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('"workers":{"Coder":{"command":[');
  write(cwd, {
    '.loopwright/config.json': {
      commands: { test: ['test', '-f', 'agent.mjs'] },
      workers: { Coder: { command: ['node', 'agent.mjs'] } },
    },
    'agent.mjs': HANGS_ONCE,
    'ran-before': '',
  });
  const done = await loopwright(['run', 'go', '--json'], { cwd });
  expect([done.code, done.stderr]).toEqual([2, '']);
  expect(jsonLines(done.stdout).at(-1)).toMatchObject({ halt: { reason: 'no_change' } });
});

test('a worker that was configured wrongly can be corrected before a retry', async () => {
  const cwd = tempFolder();
  const config = (command: readonly string[]) => ({
    '.loopwright/config.json': {
      commands: { test: ['test', '-f', 'agent.mjs'] },
      workers: { Coder: { command } },
    },
  });
  write(cwd, { ...config(['no-such-program-here']), 'agent.mjs': HANGS_ONCE, 'ran-before': '' });
  const halted = await loopwright(['run', 'go', '--json'], { cwd });
  expect(halted.code).toBe(2);
  const { session } = jsonLines(halted.stdout).at(-1) as { session: string };
  write(cwd, config(['node', 'agent.mjs']));
  expect((await loopwright(['retry', session], { cwd })).code).toBe(0);
});

test('a closed pipe ends quietly', () => {
  const cwd = project();
  write(cwd, { 'ran-before': '' });
  const cli = join(import.meta.dirname, '../../dist/bin/loopwright.js');
  const line = `"${process.execPath}" "${cli}" run go --workflow w.json 2>&1 | head -n 1`;
  expect(execFileSync('sh', ['-c', line], { cwd, encoding: 'utf8' })).toMatch(/^go {2}w\.json.*\n$/);
});

test.skipIf(!existsSync('/dev/full'))(
  'an output that is full ends the run with a message, not with a trace',
  async () => {
    const cwd = project();
    const cli = join(import.meta.dirname, '../../dist/bin/loopwright.js');
    const onFullDisk = (words: string) =>
      paste(`"${process.execPath}" "${cli}" ${words} >/dev/full`, { cwd });
    const { code, stderr } = await onFullDisk('run go --workflow w.json');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: Standard output could not be written: ENOSPC.*\nnext: .*\n {2}.* resume \w{6}\n$/,
    );
    const id = wholeId(/resume (\w{6})/.exec(stderr)?.[1]);
    write(cwd, { 'ran-before': '' });
    expect((await loopwright(['resume', id], { cwd })).code).toBe(0);
    const shown = await onFullDisk(`show ${id}`);
    expect([shown.code, shown.stderr]).toEqual([1, expect.stringMatching(/^error: .*ENOSPC.*\n$/)]);
  },
);

test('SES-01: goal, inputs and budget given at the start are kept and can be read later', async () => {
  const cwd = tempFolder();
  const worker = {
    worker: 'Internal:Command',
    instructions: '{{goal}} in {{inputs.colour}}',
    with: { argv: ['node', '-e', '0'] },
    transitions: [],
  };
  write(cwd, { 'w.json': { Main: { entry_block: 'A', blocks: { A: worker } } } });
  const missing = await loopwright(['run', 'paint it', '--workflow', 'w.json'], { cwd });
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('--input "colour=<value>"')]);
  const args = ['run', 'paint it', '--workflow', 'w.json', '--input', 'colour=red', '--budget', 'steps=5'];
  expect((await loopwright(args, { cwd })).code).toBe(0);
  const [session] = JSON.parse((await loopwright(['sessions', '--json'], { cwd })).stdout).sessions as {
    id: string;
  }[];
  const shown = await loopwright(['show', session?.id ?? '', '--json'], { cwd });
  expect(JSON.parse(shown.stdout)).toMatchObject({
    goal: 'paint it',
    inputs: { colour: 'red' },
    budget: { steps: 5 },
    status: 'completed',
    trail: [{ block: 'Main__A', signal: 'SIGNAL:SUCCESS' }],
  });
});
