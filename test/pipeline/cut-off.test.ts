import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RosterEntry } from '../../src/manifest/definition.ts';
import { firstEvent, PipelineLab } from './lab.ts';

const COSTLY = [{ say: 'begun' }, { usage: { input: 1, output: 1, usd: 5 } }, { hang: true }];

describe('an agent that is cut off or blocked', () => {
  let lab: PipelineLab;
  beforeEach(() => {
    lab = new PipelineLab();
  });
  afterEach(() => lab.remove());

  const script = (name: string, ...turns: object[][]) => {
    const file = join(lab.dir, `${name}.script.json`);
    writeFileSync(file, JSON.stringify({ turns }));
    return ['--script', file];
  };
  const task = (id: string, ...turns: object[][]) => ({
    id,
    adapter: 'scripted',
    executionMode: 'headless',
    prompt: 'x',
    extraArgs: script(id, ...turns),
  });
  const block = (entry: RosterEntry) => ({
    workers: { Coder: entry },
    budget: { usd: 1 },
    nodes: {
      Main: {
        entry_block: 'Work',
        blocks: {
          Work: {
            worker: 'Coder',
            instructions: 'do it',
            transitions: [
              { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
              { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
            ],
          },
        },
      },
    },
  });
  const clockFrom = (start: number) => {
    let now = start;
    return { now: () => now, elapsed: () => performance.now(), to: (time: number) => (now = time) };
  };

  it('a budget that is spent in the middle of a stage ends all its tasks; they wait and are run again', async () => {
    const orchestrator = lab.orchestrator({
      concurrency: 2,
      budget: { usd: 1 },
      stages: [
        {
          tasks: [
            task('costly', COSTLY),
            task('slow', [{ hang: true }]),
            task('last', [{ write: { path: 'last.txt' } }]),
          ],
        },
      ],
    });
    const cut = await orchestrator.execute('Pipeline');
    expect(cut.halt).toMatchObject({ reason: 'budget', resumeAt: 'Pipeline__Stage1' });
    expect(cut.trail).toEqual([]);
    for (const id of ['costly', 'slow', 'last']) expect(lab.statuses(id).at(-1)).toBe('PENDING');
    expect(existsSync(join(lab.dir, 'last.txt'))).toBe(false);
    script('costly', [{ say: 'cheap now' }]);
    script('slow', [{ say: 'quick now' }]);
    expect((await orchestrator.resume({ budget: { usd: 100 } })).status).toBe('completed');
    expect(existsSync(join(lab.dir, 'last.txt'))).toBe(true);
  });

  it('a block that runs out of budget does not count as run, and continues in its conversation', async () => {
    const extraArgs = script('costly', COSTLY, [{ say: 'second turn' }]);
    const orchestrator = lab.orchestrator(block({ agent: 'scripted', extraArgs }));
    const cut = await orchestrator.execute('Main');
    expect(cut.halt).toMatchObject({ reason: 'budget', resumeAt: 'Main__Work' });
    expect(lab.statuses('Work').at(-1)).toBe('PENDING');
    const end = await orchestrator.resume({ budget: { usd: 100 } });
    expect(end.payload).toContainEqual(expect.objectContaining({ content: 'second turn' }));
  });

  it('a task that is interrupted waits to be run again', async () => {
    const orchestrator = lab.orchestrator({ stages: [{ tasks: [task('slow', [{ hang: true }])] }] });
    const started = firstEvent(orchestrator, 'task.started');
    const ended = orchestrator.execute('Pipeline');
    await started;
    orchestrator.interrupt('enough');
    expect((await ended).halt?.reason).toBe('interrupted');
    expect(lab.statuses('slow')).toEqual(['PENDING', 'RUNNING', 'PENDING']);
  });

  it('a service that is down is waited for only so often in a stage too, however many tasks use it', async () => {
    const down = [{ fail: { kind: 'overloaded', message: 'busy' } }];
    const clock = clockFrom(Date.now());
    const orchestrator = lab.orchestrator(
      { stages: [{ tasks: [task('a', down), task('b', down)] }] },
      { clock },
    );
    const pauses: number[] = [];
    let end = await orchestrator.execute('Pipeline');
    while (end.status === 'parked' && pauses.length < 9) {
      pauses.push(((end.parkedUntil ?? 0) - clock.now()) / 1000);
      clock.to((end.parkedUntil ?? 0) + 1);
      end = await orchestrator.resume();
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960]);
    expect(end.status).toBe('halted');
    // Whoever wants it again wants it waited for again.
    expect((await orchestrator.retry()).status).toBe('parked');
  });

  it('a retry of a block waits for its agent again', async () => {
    const clock = clockFrom(Date.now());
    const extraArgs = script('down', [{ fail: { kind: 'network', message: 'no route' } }]);
    const orchestrator = lab.orchestrator(block({ agent: 'scripted', extraArgs }), { clock });
    let end = await orchestrator.execute('Main');
    while (end.status === 'parked') {
      clock.to((end.parkedUntil ?? 0) + 1);
      end = await orchestrator.resume();
    }
    expect(end.status).toBe('halted');
    expect((await orchestrator.retry()).status).toBe('parked');
  });

  it('an agent that a person stops is not replaced by the next of its list', async () => {
    const steps = [{ fail: { kind: 'quota', message: 'spent' } }];
    const file = join(lab.dir, 'lingers.mjs');
    writeFileSync(
      file,
      "console.log(JSON.stringify({ type: 'error', kind: 'quota', message: 'spent' })); setInterval(() => {}, 1000);",
    );
    lab.adapters.register(
      'lingers',
      class {
        readonly name = 'lingers';
        readonly #like = lab.adapters.create('scripted', { name: 'lingers', cwd: lab.dir });
        getLaunchConfig() {
          return { command: process.execPath, args: [file] };
        }
        openStream() {
          return this.#like.openStream?.('headless');
        }
      },
    );
    const orchestrator = lab.orchestrator(
      block({ agents: ['lingers', 'scripted'], extraArgs: script('next', steps) }),
    );
    const told = firstEvent(orchestrator, 'task.activity');
    const ended = orchestrator.execute('Main');
    await told;
    await orchestrator.stopTask('Work');
    const end = await ended;
    expect(end.halt?.reason).toBe('flag');
    const agents = lab.events.flatMap((event) => (event.type === 'task.started' ? [event.agent] : []));
    expect(agents).toEqual(['lingers']);
  });
});
