import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { AdapterOptions } from '../../src/agents/adapter.ts';
import type { TaskStatus } from '../../src/manifest/task.ts';
import { Orchestrator } from '../../src/orchestrator/orchestrator.ts';
import { firstEvent, NodeAgent, PipelineLab, stage } from './lab.ts';

/** Waits for a file that another task writes; ends by itself when it never comes. */
const waitFor = (file: string) =>
  `const fs = require('fs'); const t = setInterval(() => { if (fs.existsSync('${file}')) { clearInterval(t); clearTimeout(g); } }, 5); const g = setTimeout(() => process.exit(9), 600000);`;
const mark = (file: string) => `require('fs').writeFileSync('${file}', '');`;

describe('a pipeline of stages', () => {
  let lab: PipelineLab;
  beforeEach(() => {
    lab = new PipelineLab();
  });
  afterEach(() => lab.remove());

  it('STG-01 the tasks of a stage run side by side: two that wait for each other both finish', async () => {
    const document = { stages: [stage({ a: mark('a') + waitFor('b'), b: mark('b') + waitFor('a') })] };
    const end = await lab.orchestrator(document).execute('Pipeline');
    expect(end.status).toBe('completed');
    expect(lab.statuses('a')).toEqual(['PENDING', 'RUNNING', 'DONE']);
    expect(lab.statuses('b')).toEqual(['PENDING', 'RUNNING', 'DONE']);
  });

  it('STG-01 a concurrency limit keeps the others waiting', async () => {
    const alone =
      "const fs = require('fs'); if (fs.existsSync('busy')) process.exit(3); fs.writeFileSync('busy', ''); setTimeout(() => fs.rmSync('busy'), 50);";
    const document = { concurrency: 1, stages: [stage({ a: alone, b: alone, c: alone })] };
    const end = await lab.orchestrator(document).execute('Pipeline');
    expect(end.status).toBe('completed');
  });

  it('STG-02 STR-04 the next stage starts when all of the one before are done, on the one Orchestrator', async () => {
    const document = {
      stages: [stage({ a: '', b: '' }), stage({ c: mark('c') })],
    };
    const orchestrator = lab.orchestrator(document);
    const end = await orchestrator.execute('Pipeline', { goal: 'two stages' });
    expect(orchestrator).toBeInstanceOf(Orchestrator);
    expect(end.trail.map((entry) => entry.block)).toEqual(['Pipeline__Stage1', 'Pipeline__Stage2']);
    const order = lab.events.flatMap((event) =>
      event.type === 'task.status' ? [`${event.task} ${event.status}`] : [],
    );
    expect(order.indexOf('c RUNNING')).toBeGreaterThan(
      Math.max(order.indexOf('a DONE'), order.indexOf('b DONE')),
    );
  });

  it('STG-05 ADP-06 ADP-07 ADP-08 ADP-09 every field takes effect, each task has an adapter of its own', async () => {
    const made: NodeAgent[] = [];
    class Spied extends NodeAgent {
      constructor(options: AdapterOptions) {
        super(options);
        made.push(this);
      }
    }
    lab.adapters.register('spied', Spied);
    mkdirSync(join(lab.dir, 'sub'));
    const code =
      'console.log(JSON.stringify([process.cwd(), process.env.FRUIT, process.env.PATH !== undefined, process.argv.slice(1)]))';
    const full = {
      id: 't1',
      adapter: 'spied',
      executionMode: 'headless',
      prompt: 'do it',
      extraArgs: ['-e', code],
      cwd: 'sub',
      env: { FRUIT: 'pear' },
      name: 'Dev',
    };
    const { name: _name, ...unnamed } = full;
    await lab.orchestrator({ stages: [{ tasks: [full, { ...unnamed, id: 't2' }] }] }).execute('Pipeline');
    expect(JSON.parse(lab.output('t1'))).toEqual([
      realpathSync(join(lab.dir, 'sub')),
      'pear',
      true,
      ['do it'],
    ]);
    expect(made.map((adapter) => adapter.name).sort()).toEqual(['Dev', 't2']);
    expect(new Set(made).size).toBe(2);
    expect(made[0]?.options).toMatchObject({ cwd: join(lab.dir, 'sub'), env: { FRUIT: 'pear' } });
  });

  it('STG-04 STG-06 an id and an adapter are enough: it runs on a terminal under its id', async () => {
    class Terminal extends NodeAgent {
      override getLaunchConfig() {
        return { command: process.execPath, args: ['-e', 'console.log(process.stdout.isTTY === true)'] };
      }
    }
    lab.adapters.register('terminal', Terminal);
    const end = await lab
      .orchestrator({ stages: [{ tasks: [{ id: 'only', adapter: 'terminal' }] }] })
      .execute('Pipeline');
    expect(end.status).toBe('completed');
    expect(lab.output('only')).toContain('true');
    const started = lab.events.find((event) => event.type === 'task.started');
    expect(started).toMatchObject({ task: 'only', name: 'only', mode: 'interactive' });
  });

  it('STG-07 OUT-01 OUT-02 a headless task has no terminal; its output comes as events and nowhere else', async () => {
    const out = vi.spyOn(process.stdout, 'write');
    const err = vi.spyOn(process.stderr, 'write');
    await lab
      .orchestrator({
        stages: [stage({ a: "console.log(process.stdout.isTTY === true); console.error('loud')" })],
      })
      .execute('Pipeline');
    const written = [...out.mock.calls, ...err.mock.calls].length;
    out.mockRestore();
    err.mockRestore();
    expect(written).toBe(0);
    expect(lab.output('a')).toContain('false\n');
    expect(lab.output('a')).toContain('loud\n');
  });

  it('STG-10 a task that exits is DONE with its exit code; one that did not end well halts the pipeline for a person', async () => {
    const document = { stages: [stage({ good: '', bad: 'process.exit(7)' }), stage({ next: mark('next') })] };
    const orchestrator = lab.orchestrator(document);
    const end = await orchestrator.execute('Pipeline');
    expect(end.status).toBe('halted');
    expect(end.halt?.block).toBe('Pipeline__Stage1');
    expect(existsSync(join(lab.dir, 'next'))).toBe(false);
    const { session } = lab.sessions.load(orchestrator.sessionId ?? '');
    expect(session.tasks).toEqual({ good: 'DONE', bad: 'DONE' });
    expect(session.exits).toEqual({ good: { code: 0 }, bad: { code: 7 } });
    expect(lab.events).toContainEqual(
      expect.objectContaining({ type: 'task.status', task: 'bad', status: 'DONE', exit: { code: 7 } }),
    );
  });

  it('STG-10 a death by signal is stored as one, and continueOnFailure walks on', async () => {
    const document = {
      continueOnFailure: true,
      stages: [
        stage({ a: "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)" }),
        stage({ b: '' }),
      ],
    };
    const orchestrator = lab.orchestrator(document);
    const end = await orchestrator.execute('Pipeline');
    expect(end.status).toBe('completed');
    expect(lab.sessions.load(orchestrator.sessionId ?? '').session.exits['a']).toEqual({ signal: 'SIGKILL' });
  });

  it('STG-10 retry runs only what did not end well', async () => {
    const count = (file: string, more = '') => `require('fs').appendFileSync('${file}', 'x');${more}`;
    const fails = count('b', "if (require('fs').readFileSync('b', 'utf8') === 'x') process.exit(1)");
    const orchestrator = lab.orchestrator({ stages: [stage({ a: count('a'), b: fails })] });
    expect((await orchestrator.execute('Pipeline')).status).toBe('halted');
    expect((await orchestrator.retry()).status).toBe('completed');
    expect(readFileSync(join(lab.dir, 'a'), 'utf8')).toBe('x');
    expect(readFileSync(join(lab.dir, 'b'), 'utf8')).toBe('xx');
  });

  it('STG-16 one that cannot be started is in ERROR, the others are stopped and wait, and execute rejects', async () => {
    class Missing extends NodeAgent {
      override getLaunchConfig() {
        return { command: 'no-such-program-anywhere', args: [] };
      }
    }
    lab.adapters.register('missing', Missing);
    const stages = [
      {
        tasks: [
          ...stage({ slow: 'setInterval(() => {}, 1000)' }).tasks,
          { id: 'bad', adapter: 'missing', executionMode: 'headless', prompt: 'x' },
        ],
      },
    ];
    const orchestrator = lab.orchestrator({ stages });
    await expect(orchestrator.execute('Pipeline')).rejects.toThrow(/no-such-program-anywhere/);
    const { session } = lab.sessions.load(orchestrator.sessionId ?? '');
    expect(session.status).toBe('failed');
    expect(session.tasks).toEqual({ slow: 'PENDING', bad: 'ERROR' });
  });

  it('STG-11 STG-12 completeTask ends an interactive task as DONE, once, and the next stage starts', async () => {
    const idle = {
      id: 'chat',
      adapter: 'node',
      extraArgs: ['-e', "console.log('here'); setInterval(() => {}, 1000)"],
    };
    const orchestrator = lab.orchestrator({ stages: [{ tasks: [idle] }, stage({ after: '' })] });
    const running = orchestrator.execute('Pipeline');
    await firstEvent(orchestrator, 'task.output', (event) => event.clean.includes('here'));
    await orchestrator.completeTask('chat');
    expect((await running).status).toBe('completed');
    expect(lab.statuses('chat')).toEqual(['PENDING', 'RUNNING', 'DONE']);
    expect(lab.statuses('after')).toContain('DONE');
  });

  it('STG-13 completeTask throws for a task that is unknown, finished, or headless', async () => {
    const orchestrator = lab.orchestrator({ stages: [stage({ a: 'setInterval(() => {}, 1000)' })] });
    const running = orchestrator.execute('Pipeline');
    await firstEvent(orchestrator, 'task.status', (event) => event.status === 'RUNNING');
    await expect(orchestrator.completeTask('b')).rejects.toThrow('There is no task "b"');
    await expect(orchestrator.completeTask('a')).rejects.toThrow('headless');
    await orchestrator.stopTask('a');
    expect((await running).status).toBe('halted');
    await expect(orchestrator.completeTask('a')).rejects.toThrow(/"a"/);
  });

  it('SES-02 SES-03 prompt and input are in the history with the task, output is in its log', async () => {
    const echo = {
      id: 'echo',
      adapter: 'node',
      prompt: 'the prompt',
      extraArgs: [
        '-e',
        "console.log('go'); process.stdin.once('data', (d) => { console.log('ok ' + d); process.exit(0) })",
      ],
    };
    const orchestrator = lab.orchestrator({ stages: [{ tasks: [echo] }] });
    const running = orchestrator.execute('Pipeline');
    await firstEvent(orchestrator, 'task.output', (event) => event.clean.includes('go'));
    orchestrator.send('echo', 'y\r');
    expect((await running).status).toBe('completed');
    const id = orchestrator.sessionId ?? '';
    const { history } = lab.sessions.load(id).session;
    expect(history).toContainEqual(
      expect.objectContaining({ kind: 'prompt', task: 'echo', text: 'the prompt' }),
    );
    expect(history).toContainEqual(expect.objectContaining({ kind: 'input', task: 'echo', text: 'y' }));
    const logs = join(lab.dir, '.loopwright/sessions', id, 'logs');
    const [log = ''] = readdirSync(logs);
    expect(readFileSync(join(logs, log), 'utf8')).toContain('ok y');
  });

  it('B-26 what one task said, and the files it wrote, reach the prompt of a later one', async () => {
    const write = "require('fs').writeFileSync('spec.md', 'the specification'); console.log('use sockets')";
    const later = {
      id: 'build',
      adapter: 'node',
      executionMode: 'headless',
      prompt: '{{goal}} / {{tasks.plan.output}} / {{files.spec.md}} / \\{{tasks.plan.output}}',
      extraArgs: ['-e', 'console.log(process.argv[1])'],
    };
    const end = await lab
      .orchestrator({ stages: [stage({ plan: write }), { tasks: [later] }] })
      .execute('Pipeline', { goal: 'a server' });
    expect(end.status).toBe('completed');
    expect(lab.output('build').replaceAll('\n', ' ')).toMatch(
      /a server \/ <data (\w+)> use sockets +<\/data \1> \/ <data \1> the specification <\/data \1> \/ \{\{tasks\.plan\.output\}\}/,
    );
  });

  it('SES-05 a task that is DONE is not run again after an interruption, also one that did not end well; a retry runs that one', async () => {
    const count = (file: string, more = '') => `require('fs').appendFileSync('${file}', 'x');${more}`;
    const document = {
      stages: [
        stage({
          bad: count('bad', 'process.exit(1)'),
          slow: count(
            'slow',
            "if (require('fs').readFileSync('slow', 'utf8') === 'x') setInterval(() => {}, 1000)",
          ),
        }),
      ],
    };
    const orchestrator = lab.orchestrator(document);
    const running = orchestrator.execute('Pipeline');
    await firstEvent(orchestrator, 'task.status', (event) => event.task === 'bad' && event.status === 'DONE');
    await vi.waitFor(() => expect(existsSync(join(lab.dir, 'slow'))).toBe(true));
    orchestrator.interrupt();
    expect((await running).status).toBe('halted');
    const end = await orchestrator.resume();
    expect(end.halt?.reason).toBe('flag');
    const runs = (file: string) => readFileSync(join(lab.dir, file), 'utf8');
    expect([runs('bad'), runs('slow')]).toEqual(['x', 'xx']);
    await orchestrator.retry();
    expect([runs('bad'), runs('slow')]).toEqual(['xx', 'xx']);
  });

  it('a task that is retried continues in its own conversation', async () => {
    const script = join(lab.dir, 'talk.json');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      script,
      JSON.stringify({ turns: [[{ fail: { message: 'not yet' } }], [{ say: 'the second turn' }]] }),
    );
    const task = {
      id: 'talk',
      adapter: 'scripted',
      executionMode: 'headless',
      prompt: 'talk',
      extraArgs: ['--script', script],
    };
    const orchestrator = lab.orchestrator({ stages: [{ tasks: [task] }] });
    expect((await orchestrator.execute('Pipeline')).status).toBe('halted');
    expect((await orchestrator.retry()).status).toBe('completed');
    expect(lab.output('talk')).toContain('the second turn');
  });

  it('permissions "all" of a task is pointed out at the start', () => {
    const tasks = [
      { id: 'a', adapter: 'scripted', permissions: 'all' },
      { id: 'b', adapter: 'scripted' },
    ];
    const { warnings } = lab.orchestrator({ stages: [{ tasks }] });
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('Task "a": permissions "all"'),
    ]);
  });

  it('STG-18 the statuses are the five of the document', () => {
    expectTypeOf<TaskStatus>().toEqualTypeOf<'PENDING' | 'RUNNING' | 'WAITING_FOR_USER' | 'DONE' | 'ERROR'>();
  });
});
