import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import type { ClaimRequest } from '../../src/backlog/scheduler.ts';
import type { ManifestBody } from '../../src/manifest/definition.ts';
import type { TaskRuntimeEvent } from '../../src/tasks/run-task.ts';
import { roleInstructions } from '../../src/tasks/runtime/role-instructions.ts';
import { work } from '../../src/tasks/work.ts';
import { overruled, RuntimeLab } from './lab.ts';
import { CHANGED, NEW_WORDS, NOTHING, play, shippedFlow } from './settings-lab.ts';

// From the variable to what a task's run does: each of these fails when a setting is read and then ignored.

const never = new AbortController().signal;
let lab: RuntimeLab;

beforeEach(() => {
  lab = new RuntimeLab();
  put('ok.js', '');
  put('fail.js', 'console.error("broken"); process.exit(1)');
  put('new-words.cjs', NEW_WORDS);
});
afterEach(() => lab.close());

function put(path: string, content: string): string {
  const file = join(lab.dir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const contract = (...commands: string[]) =>
  put('.loopwright/verify.contract.json', JSON.stringify({ commands }));

describe('lanes', () => {
  it.each([
    [{}, 'docser', 1, []],
    [{}, 'worker', undefined, []],
    [{ WORKER_LANE_MOST: '3', TASK_AREAS: 'a/** b/**, c/**' }, 'worker', 3, ['a/** b/**', 'c/**']],
  ] as const)(
    'B-14 with %j a runtime of role %s asks for at most %s, apart in %j',
    async (env, role, most, areas) => {
      const asked: ClaimRequest[] = [];
      const scheduler = overruled(lab.scheduler, {
        claim: (request) => {
          asked.push(request);
          return Promise.resolve(undefined);
        },
      });
      const runtime = lab.runtime(shippedFlow('direct-task'), { scheduler }, env);
      await work(runtime, { role, concurrency: 1, once: true, stop: never });
      expect(asked.map((request) => [request.most, request.areas])).toEqual([[most, areas]]);
    },
  );
});

describe('how often a rung of the recovery is tried', () => {
  it.each([
    [undefined, 5],
    ['0', 0],
    ['2', 2],
  ])(
    'CFG-13 WORKER_NO_CHANGE_RECOVERY_ATTEMPTS %s: a run without a change is repeated %i times',
    async (said, times) => {
      const env = said === undefined ? {} : { WORKER_NO_CHANGE_RECOVERY_ATTEMPTS: said };
      const played = await play(lab, { env, changes: NOTHING, task: { commands: ['node ok.js'] } });
      expect(played.times('Retry')).toBe(times);
    },
  );

  it.each([
    [undefined, 5],
    ['0', 0],
    ['4', 4],
  ])(
    'CFG-14 WORKER_VERIFY_RECOVERY_ATTEMPTS %s: a failed check is repaired %i times',
    async (said, times) => {
      const env = said === undefined ? {} : { WORKER_VERIFY_RECOVERY_ATTEMPTS: said };
      const played = await play(lab, { env, task: { commands: ['node new-words.cjs'] } });
      expect([played.times('Fix'), played.code]).toEqual([times, 'verification_failed']);
    },
  );

  it.each([
    [undefined, 5],
    ['0', 0],
    ['2', 2],
  ])(
    'CFG-22 WORKER_POLICY_RECOVERY_ATTEMPTS %s: a model is asked about paths %i times',
    async (said, times) => {
      const env = {
        POLICY_RECOVERY_MODE: 'conservative',
        ...(said === undefined ? {} : { WORKER_POLICY_RECOVERY_ATTEMPTS: said }),
      };
      // Each answer allows the path it was asked about, and then the next one is in the way.
      let answered = 0;
      const path = () => `lib/${'abcdefghij'[answered]}.js`;
      const changes = () => ({ changed: [path(), 'src/a.js'], added: [], removed: [] });
      const says = (block: string) => {
        const decisions = [{ path: path(), decision: 'allow', reason: 'needed' }];
        if (block === 'AskJudge') answered++;
        return JSON.stringify({ decisions });
      };
      const played = await play(lab, { env, changes, says, task: { commands: ['node ok.js'] } });
      expect([played.times('AskJudge'), played.code]).toEqual([times, 'policy_violation']);
    },
  );

  it('RESEARCH_PARSE_REGEN_RETRIES: an unreadable answer is asked for again so often', async () => {
    const research = { jobId: 'J', query: 'why?', stage: 'plan' };
    const played = await play(lab, {
      env: { RESEARCH_PARSE_REGEN_RETRIES: '4' },
      flow: shippedFlow('research-task'),
      says: 'no JSON here',
      task: { kind: 'research', context: { research } },
    });
    expect(played.times('Ask')).toBe(5);
  });

  it('a copied flow whose nodes, blocks and workers have other names keeps the settings', async () => {
    const renamed = JSON.parse(
      JSON.stringify(shippedFlow('direct-task'))
        .replaceAll('Repair', 'Mending')
        .replaceAll(':Fix"', ':Patch"')
        .replaceAll('__Fix"', '__Patch"')
        .replaceAll('"Fix"', '"Patch"')
        .replaceAll('NoChange__', 'Idle__')
        .replaceAll('"NoChange"', '"Idle"')
        .replaceAll('PolicyJudge', 'Referee')
        .replaceAll('"Coder"', '"Engineer"'),
    ) as ManifestBody;
    const env = { WORKER_VERIFY_RECOVERY_ATTEMPTS: '1', WORKER_POLICY_RECOVERY_TIMEOUT_SECONDS: '30' };
    const played = await play(lab, {
      env,
      flow: renamed,
      task: { commands: ['node new-words.cjs'], timeboxMinutes: 7 },
    });
    expect(played.times('Patch')).toBe(1);
    const { workers } = lab.sessions.load(played.sessionId).manifest;
    expect([workers['Referee']?.minutes, workers['Engineer']?.minutes]).toEqual([0.5, 7]);
  });
});

describe('what is repaired, skipped and replaced', () => {
  it('CFG-15 WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT false: the task’s own command is left to people', async () => {
    const task = { commands: ['node fail.js'] };
    expect((await play(lab, { task })).times('Fix')).toBeGreaterThan(0);
    const env = { WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT: 'false' };
    expect((await play(lab, { task, env })).times('Fix')).toBe(0);
  });

  it('CFG-16 WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT false: a missing script is a failure', async () => {
    put('package.json', '{}');
    const task = { commands: ['npm run missing', 'node ok.js'] };
    expect((await play(lab, { task })).release?.state).toBe('done');
    const env = { WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT: 'false' };
    expect((await play(lab, { task, env })).code).toBe('verification_failed');
  });

  it('CFG-17 WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND false: so it is for an automatic command', async () => {
    put('package.json', '{}');
    contract('npm run missing');
    const task = { commands: ['node ok.js'] };
    const env = {
      WORKER_AUTO_VERIFY_MODE: 'contract',
      WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS: 'false',
    };
    expect((await play(lab, { task, env })).release?.state).toBe('done');
    const strict = { ...env, WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND: 'false' };
    expect((await play(lab, { task, env: strict })).code).toBe('verification_failed');
  });

  it('CFG-18 WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS false: the last automatic failure counts', async () => {
    contract('node fail.js');
    const task = { commands: ['node ok.js'] };
    const env = { WORKER_AUTO_VERIFY_MODE: 'contract' };
    expect((await play(lab, { task, env })).release?.state).toBe('done');
    const strict = { ...env, WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS: 'false' };
    expect((await play(lab, { task, env: strict })).code).toBe('verification_failed');
  });

  describe('in place', () => {
    const task = { commands: ['npx eslint --lint-and-test tsc | cat'] };
    const ran = () => {
      const log = join(lab.dir, 'ran.log');
      return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    };
    beforeEach(() => {
      const script = 'node record.cjs';
      put('package.json', JSON.stringify({ scripts: { test: script, lint: script, typecheck: script } }));
      put(
        'record.cjs',
        "require('node:fs').appendFileSync('ran.log', process.env.npm_lifecycle_event + '\\n'); process.exit(1)",
      );
    });
    const once = { WORKER_VERIFY_RECOVERY_ATTEMPTS: '0' };

    it('CFG-19 WORKER_VERIFY_INLINE_COMMAND_RECOVERY false: nothing is tried in its place', async () => {
      await play(lab, { task, env: { ...once, WORKER_VERIFY_INLINE_COMMAND_RECOVERY: 'false' } });
      expect(ran()).toEqual([]);
      await play(lab, { task, env: once });
      expect(ran()).not.toEqual([]);
    });

    it('CFG-20 WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES: so many are tried', async () => {
      await play(lab, { task, env: { ...once, WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES: '1' } });
      expect(ran()).toHaveLength(1);
      await play(lab, { task, env: { ...once, WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES: '2' } });
      expect(ran()).toHaveLength(3);
    });
  });
});

describe('a model that decides about paths', () => {
  const changes = { changed: ['lib/b.js', 'src/a.js'], added: [], removed: [] };
  const says = JSON.stringify({ decisions: [{ path: 'lib/b.js', decision: 'allow', reason: 'needed' }] });
  const task = { commands: ['node ok.js'] };

  it('CFG-21 WORKER_POLICY_RECOVERY_USE_LLM false: none is asked', async () => {
    const env = { POLICY_RECOVERY_MODE: 'conservative' };
    const asked = await play(lab, { env, changes, says, task });
    expect([asked.times('AskJudge'), asked.release?.state]).toEqual([1, 'done']);
    const silent = { ...env, WORKER_POLICY_RECOVERY_USE_LLM: 'false' };
    const refused = await play(lab, { env: silent, changes, says, task });
    expect([refused.times('AskJudge'), refused.code]).toEqual([0, 'policy_violation']);
  });

  it('CFG-23 WORKER_POLICY_RECOVERY_TIMEOUT_SECONDS ends a model that thinks on and on', async () => {
    const flow = shippedFlow('direct-task');
    const script = put('judge.json', JSON.stringify({ steps: [{ hang: true }] }));
    const coder = put('coder.json', JSON.stringify({ steps: [{ say: 'done' }] }));
    const workers = {
      ...flow.workers,
      Coder: { ...flow.workers?.['Coder'], extraArgs: ['--script', coder] },
      PolicyJudge: { ...flow.workers?.['PolicyJudge'], extraArgs: ['--script', script] },
    };
    await lab.add({ allowedPaths: ['src/**'], ...task });
    const env = { POLICY_RECOVERY_MODE: 'conservative', WORKER_POLICY_RECOVERY_TIMEOUT_SECONDS: '1' };
    const prepare = async () => lab.prepared(changes);
    await work(lab.runtime({ ...flow, workers }, { prepare }, { ...env, WORKER_AUTO_VERIFY_MODE: 'off' }), {
      role: 'worker',
      concurrency: 1,
      once: true,
      stop: never,
    });
    const judged = lab.events.flatMap((event) =>
      event.type === 'task.session' &&
      event.event.type === 'step.finished' &&
      event.event.entry.block === 'PathPolicy__AskJudge'
        ? [event.event.entry.signal]
        : [],
    );
    expect(judged).toEqual(['SIGNAL:FAILURE']);
    const [session = ''] = lab.sessions.ids();
    expect(lab.sessions.load(session).manifest.workers['PolicyJudge']?.minutes).toBe(1 / 60);
  });
});

describe('who works, and with what', () => {
  /** Works one task off; agents are programs that write down how they were started, and fail. */
  async function started(env: Record<string, string>, role: 'worker' | 'tester' | 'docser' = 'worker') {
    for (const name of ['claude', 'codex', 'opencode']) {
      const file = put(
        `bin/${name}`,
        `#!/usr/bin/env node\nrequire('node:fs').appendFileSync(${JSON.stringify(join(lab.dir, 'started'))}, JSON.stringify([${JSON.stringify(name)}, ...process.argv.slice(2)]) + '\\n'); process.exit(1);\n`,
      );
      chmodSync(file, 0o755);
    }
    const PATH = [join(lab.dir, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
    const services = { workers: {}, adapters: new AdapterRegistry(), baseEnv: { PATH, HOME: lab.dir } };
    const instructions = (task: { role: 'worker' | 'tester' | 'docser' }) =>
      roleInstructions(lab.dir, task.role);
    const prepare = async () => lab.prepared(CHANGED);
    const stop = new AbortController();
    const tell = ({ type }: TaskRuntimeEvent) => {
      if (type === 'task.released') stop.abort();
    };
    const own = { services, instructions, prepare, tell };
    const runtime = lab.runtime(shippedFlow('direct-task'), own, env);
    const options = { concurrency: 1, once: true, stop: stop.signal };
    await work(runtime, { role, ...options });
    const file = join(lab.dir, 'started');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
  }

  it.each([
    ['opencode', 'opencode'],
    ['claude_code', 'claude'],
    ['codex', 'codex'],
  ])('RUN-03 LLM_EXECUTOR %s starts %s', async (said, program) => {
    await lab.add();
    const calls = await started({ LLM_EXECUTOR: said });
    expect([...new Set(calls.map(([name]) => name))]).toEqual([program]);
  });

  it('RUN-03 a role can have an executor of its own; without a setting it is codex', async () => {
    await lab.add({ role: 'tester' });
    const [call] = await started({ LLM_EXECUTOR: 'codex', TESTER_LLM_EXECUTOR: 'opencode' }, 'tester');
    expect(call?.[0]).toBe('opencode');
    await lab.add();
    expect((await started({ LLM_EXECUTOR: '' })).at(-1)?.[0]).toBe('codex');
  });

  it.each([
    ['CFG-03', 'worker', 'WORKER_MODEL'],
    ['CFG-04', 'tester', 'TESTER_MODEL'],
    ['CFG-05', 'docser', 'DOCSER_MODEL'],
  ] as const)(
    '%s the agent of a %s is started with %s, which wins over the agent’s own',
    async (_row, role, variable) => {
      await lab.add({ role });
      const others = { WORKER_MODEL: 'other', TESTER_MODEL: 'other', DOCSER_MODEL: 'other' };
      const env = { LLM_EXECUTOR: 'claude', CLAUDE_CODE_MODEL: 'own', ...others, [variable]: 'mine' };
      const [call = []] = await started(env, role);
      expect(call[call.indexOf('--model') + 1]).toBe('mine');
    },
  );

  it.each([
    ['CLAUDE_CODE_MODEL', 'claude'],
    ['OPENCODE_MODEL', 'opencode'],
  ])('CFG-03 %s counts where the role has no model', async (variable, agent) => {
    await lab.add();
    const [call = []] = await started({ LLM_EXECUTOR: agent, [variable]: 'own' });
    expect(call[call.findIndex((word) => word === '--model' || word === '-m') + 1]).toBe('own');
  });

  const TOLD = {
    worker: 'You implement one task of a backlog.',
    tester: 'You work on tests.',
    docser: 'You work on documentation.',
  };

  it.each(['worker', 'tester', 'docser'] as const)(
    'RUN-01 CFG-02 AGENT_ROLE %s takes the tasks of that role only, and tells the agent what that means',
    async (role) => {
      const ids = { worker: '', tester: '', docser: '' };
      for (const each of ['worker', 'tester', 'docser'] as const) ids[each] = await lab.add({ role: each });
      const env = { LLM_EXECUTOR: 'claude', AGENT_ROLE: role };
      const { settings } = lab.runtime(shippedFlow('direct-task'), {}, env);
      const [call = []] = await started(env, settings.role);
      expect(call.join(' ')).toContain(TOLD[role]);
      const queued = Object.entries(ids).filter(([each]) => each !== role);
      for (const [, id] of queued) expect((await lab.backlog.get(id))?.state).toBe('queued');
      expect((await lab.backlog.get(ids[role]))?.state).not.toBe('queued');
    },
  );

  it('CFG-01 AGENT_ID is the name that a run is recorded under', async () => {
    const id = await lab.add();
    await started({ LLM_EXECUTOR: 'claude', AGENT_ID: 'ann' });
    expect((await lab.backlog.history(id)).runs[0]?.agentId).toBe('ann');
  });
});
