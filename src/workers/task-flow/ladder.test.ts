import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentText } from '../../manifest/segment.ts';
import type { WorkerContext, WorkerRun } from '../../manifest/worker.ts';
import { learnedPathsFile } from '../../verification/changes/learned-paths.ts';
import { folderTree, folderWith, gitTree, putIn, repoWith } from '../../verification/testing.ts';
import type { TestRepo } from '../../workspace/git/testing.ts';
import { allowedPathsIn, outcomeIn, PATHS_DISCARDED, pathsIn, reportIn } from './segments.ts';
import { type FlowOptions, runFlow } from './testing.ts';

/** Fails until src/a.txt says what it should; says something else each time it is changed. */
const CHECK = `const text = require('fs').readFileSync('src/a.txt', 'utf8');
if (text !== 'good') { console.error('a.txt is ' + text); process.exit(1); }`;

let repo: TestRepo;
beforeEach(() => {
  repo = repoWith({
    'src/a.txt': 'old',
    'check.js': CHECK,
    'ok.js': '',
    'README.md': 'old',
    'tracked.ts': '',
  });
});
afterEach(() => repo.dispose());

const flow = (options: Partial<FlowOptions> = {}) =>
  runFlow('code-task', { tree: gitTree(repo), projectDir: repo.base, ...options });
const put = (path: string, content: string) => () => repo.put(path, content);
const good = put('src/a.txt', 'good');
const commits = () => repo.git('rev-list', '--count', 'HEAD').trim();
const shown = (context: WorkerContext | undefined) =>
  (context?.execution_payload ?? []).map(contentText).join('\n');
const task = { commands: ['node check.js'] };

describe('the flow of a task', () => {
  it('works, checks, verifies and delivers with the evidence', async () => {
    const { path, state, delivered } = await flow({ task, coder: [good] });
    expect(path).toEqual([
      'CheckCommands',
      'Implement',
      'CheckExpectedFiles',
      'Verify',
      'InspectTests',
      'Deliver',
    ]);
    expect(state.status).toBe('completed');
    expect(outcomeIn(state.payload)).toEqual({ outcome: 'verified' });
    expect(delivered).toMatchObject([{ evidence: { result: 'verified' } }]);
    expect(state.payload.at(-1)).toMatchObject({
      type: 'DELIVERY',
      content: { review: true, artifacts: [{ type: 'commit' }] },
    });
  });

  it('VER-07 CFG-11 llm: a model names the commands, which are held to the rules and recorded as its own', async () => {
    const plan = '{"commands": ["node check.js", "node check.js | tee log", "sudo reboot"]}';
    const rules = { autoVerifyMode: 'llm' };
    const { path, state, planner } = await flow({ rules, coder: [good], planner: ['Let me see.', plan] });
    expect(path.slice(3)).toEqual([
      'Verify',
      'AskPlan',
      'Verify',
      'AskPlan',
      'Verify',
      'InspectTests',
      'Deliver',
    ]);
    expect(shown(planner[0])).toContain('src/a.txt');
    const report = reportIn(state.payload);
    expect(report).toMatchObject({
      result: 'verified',
      commands: [{ command: 'node check.js', from: 'model' }],
    });
    expect(report?.notes).toHaveLength(2);
    const { state: failed, path: repaired } = await flow({
      rules,
      coder: [put('src/a.txt', 'bad'), good],
      planner: [plan],
    });
    expect(failed.status).toBe('completed');
    expect(repaired.slice(3)).toEqual([
      'Verify',
      'AskPlan',
      'Verify',
      'Diagnose',
      'Fix',
      'CheckExpectedFiles',
      'Verify',
      'InspectTests',
      'Deliver',
    ]);
  });

  it('VER-07 a model without a readable plan is asked three times; the task is unverified and says so', async () => {
    const rules = { autoVerifyMode: 'llm' };
    const said = ['no', 'SIGNAL:FAILURE', 'no', 'no'];
    const { path, state } = await flow({ rules, coder: [good], planner: said });
    expect(path.filter((block) => block === 'AskPlan')).toHaveLength(3);
    expect(outcomeIn(state.payload)).toEqual({ outcome: 'unverified' });
    expect(reportIn(state.payload)?.notes[0]).toContain('was asked 3 times for commands');
  });

  it('VER-04 VER-07 llm: a run without a change is shown to be one by a command of the model', async () => {
    const rules = { autoVerifyMode: 'llm' };
    const visits = { Retry: 0 };
    const { state } = await flow({ rules, visits, planner: ['{"commands": ["node ok.js"]}'] });
    expect(outcomeIn(state.payload)).toEqual({ outcome: 'no_op' });
    const none = await flow({ rules, visits, planner: ['{"commands": []}'] });
    expect(outcomeIn(none.state.payload)).toMatchObject({ code: 'no_actionable_changes' });
  });

  it('RUN-08 nothing is delivered before verification has passed', async () => {
    const { delivered, state } = await flow({ task, visits: { Fix: 0 }, coder: [put('src/a.txt', 'bad')] });
    expect(delivered).toEqual([]);
    expect(commits()).toBe('1');
    expect(state.status).toBe('halted');
  });

  it('RUN-07 a missing expected file is named and does not fail what commands prove', async () => {
    const { state } = await flow({ task: { ...task, expectedFiles: ['src/b.ts'] }, coder: [good] });
    expect(state.status).toBe('completed');
    expect(reportIn(state.payload)?.missingFiles).toEqual(['src/b.ts']);
  });

  it('RUN-07 is repaired where no command passed', async () => {
    const expected = { expectedFiles: ['src/b.ts'] };
    const { coder, state } = await flow({ task: expected, coder: [good, put('src/b.ts', '')] });
    expect(state.status).toBe('completed');
    expect(shown(coder[1])).toContain('Expected files are missing: src/b.ts');
    expect(outcomeIn(state.payload)).toEqual({ outcome: 'unverified' });
  });

  it('RUN-21 a run that is ended for its time is verified; any other failure ends the run', async () => {
    const late = () => {
      good();
      return 'SIGNAL:TIMED_OUT';
    };
    expect((await flow({ task, coder: [late] })).state.status).toBe('completed');
    const { state, path } = await flow({ task, coder: [() => 'SIGNAL:FAILURE'] });
    expect(state.status).toBe('halted');
    expect(path.at(-1)).toBe('Implement');
    expect(outcomeIn(state.payload)).toBeUndefined();
  });

  it('CMD-10 a denied command keeps the agent from being called', async () => {
    const { state, coder } = await flow({ task: { commands: ['sudo make'] }, coder: [good] });
    expect(coder).toEqual([]);
    expect(outcomeIn(state.payload)).toMatchObject({
      outcome: 'needs_rework',
      code: 'policy_violation',
      reason: expect.stringContaining('sudo make') as string,
    });
  });
});

describe('nothing was changed', () => {
  it('VER-03 the agent is asked again', async () => {
    const { coder, state } = await flow({ task, coder: [undefined, good] });
    expect(coder).toHaveLength(2);
    expect(coder[1]?.contract.instructions).toContain('changed no file that counts');
    expect(state.status).toBe('completed');
    expect(reportIn(state.payload)?.changes.changed).toEqual(['src/a.txt']);
  });

  it('VER-03 CFG-13 five times, or as often as the limit says', async () => {
    expect((await flow({ task: { commands: ['node ok.js'] } })).coder).toHaveLength(6);
    const none = await flow({ task: { commands: ['node ok.js'] }, visits: { Retry: 0 } });
    expect(none.coder).toHaveLength(1);
  });

  it('VER-04 passing commands make it a no-op: done without a delivery', async () => {
    const { state, delivered, path } = await flow({
      task: { commands: ['node ok.js'] },
      visits: { Retry: 1 },
    });
    expect(state.status).toBe('completed');
    expect(outcomeIn(state.payload)).toEqual({ outcome: 'no_op' });
    expect(delivered).toEqual([]);
    expect(path.slice(-4)).toEqual(['Confirm', 'Verify', 'InspectTests', 'Deliver']);
    expect(state.payload.at(-1)).toMatchObject({ content: { artifacts: [], review: false } });
  });

  it.each([
    ['no command', {}, {}],
    ['only a command that cannot be run', { commands: ['a | b'] }, {}],
    ['a confirmation that is switched off', { commands: ['node ok.js'] }, { noChangeConfirm: false }],
  ])('VER-04 with %s it needs rework', async (_, facts, rules) => {
    const { state } = await flow({ task: facts, rules, visits: { Retry: 0 } });
    expect(state.status).toBe('halted');
    expect(outcomeIn(state.payload)).toMatchObject({
      outcome: 'needs_rework',
      code: 'no_actionable_changes',
    });
  });

  it('VER-04 it needs rework when all that was changed had to be undone', async () => {
    const { state } = await flow({
      task: { commands: ['node ok.js'], allowedPaths: ['src/**'] },
      visits: { Retry: 0 },
      coder: [put('elsewhere/a.txt', 'x')],
    });
    expect(state.status).toBe('halted');
    expect(outcomeIn(state.payload)).toMatchObject({ outcome: 'needs_rework' });
  });

  it('VER-04 a task that only verifies needs no change', async () => {
    const { state, coder } = await flow({ task: { commands: ['node ok.js'], verifyOnly: true } });
    expect(coder).toHaveLength(1);
    expect(outcomeIn(state.payload)).toEqual({ outcome: 'no_op' });
  });

  it('a failing command on unchanged files is repaired', async () => {
    const { state } = await flow({ task, visits: { Retry: 0 }, coder: [undefined, good] });
    expect(outcomeIn(state.payload)).toEqual({ outcome: 'verified' });
  });
});

describe('a command failed', () => {
  it('VER-05 it is repaired, with the command and its error as a hint', async () => {
    const { coder, state, path } = await flow({ task, coder: [put('src/a.txt', 'bad'), good] });
    expect(state.status).toBe('completed');
    expect(path.slice(3)).toEqual([
      'Verify',
      'Diagnose',
      'Fix',
      'CheckExpectedFiles',
      'Verify',
      'InspectTests',
      'Deliver',
    ]);
    expect(shown(coder[1])).toMatch(/`node check.js` \(the task's own command\) failed.*a.txt is bad/s);
  });

  it('VER-05 a repair that fails leaves its error for the next one, one that is too slow is verified', async () => {
    const slow = () => {
      good();
      return 'SIGNAL:TIMED_OUT';
    };
    const { coder, state } = await flow({
      task,
      coder: [put('src/a.txt', 'bad'), () => 'SIGNAL:FAILURE', slow],
    });
    expect(state.status).toBe('completed');
    expect(coder[2]?.execution_payload).toContainEqual(expect.objectContaining({ type: 'ERROR' }));
  });

  it('VER-06 ST-05 what stays unresolved needs rework, with the failing command and its error', async () => {
    const words = ['bad', 'worse', 'awful', 'no', 'never', 'last'];
    const { state, coder } = await flow({ task, coder: words.map((word) => put('src/a.txt', word)) });
    expect(coder).toHaveLength(6);
    expect(state.status).toBe('halted');
    expect(outcomeIn(state.payload)).toMatchObject({ outcome: 'needs_rework', code: 'verification_failed' });
    expect(outcomeIn(state.payload)?.reason).toMatch(/node check.js.*a.txt is last/s);
  });

  it('VER-06 CFG-14 the number of repairs is a limit', async () => {
    const { coder } = await flow({ task, visits: { Fix: 0 }, coder: [put('src/a.txt', 'bad')] });
    expect(coder).toHaveLength(1);
  });

  it('three equal failures end the repair, whatever else was changed meanwhile', async () => {
    const steps = [1, 2, 3, 4, 5, 6].map((n) => () => {
      repo.put('src/a.txt', 'bad');
      repo.put(`src/try-${'x'.repeat(n)}.ts`, '');
    });
    const { state, coder } = await flow({ task, coder: steps });
    expect(coder).toHaveLength(4);
    expect(outcomeIn(state.payload)?.code).toBe('verification_failed');
  });

  it('ST-08 a quota that is hit in a repair parks the task, and no attempt is lost', async () => {
    const quota = (run: WorkerRun) => run.park(new Date(), 'agent: quota spent');
    const steps = [put('src/a.txt', 'bad'), quota, good];
    const { orchestrator, state } = await flow({ task, visits: { Fix: 1 }, coder: steps });
    expect(state).toMatchObject({ status: 'parked', block: 'Repair__Fix' });
    const resumed = await orchestrator.resume();
    expect(resumed.status).toBe('completed');
  });

  it('CFG-15 a failure of the task’s own command may be left to people; an automatic one may always be repaired', async () => {
    const rules = { repairExplicit: false };
    const bad = put('src/a.txt', 'bad');
    const { state, coder } = await flow({ task, rules, coder: [bad, good] });
    expect(coder).toHaveLength(1);
    expect(outcomeIn(state.payload)?.code).toBe('verification_failed');
    putIn(repo.base, '.loopwright/verify.contract.json', '{"commands": ["node check.js"]}');
    const automatic = await flow({ rules: { ...rules, autoVerifyMode: 'contract' }, coder: [bad, good] });
    expect(automatic.state.status).toBe('completed');
  });
});

describe('files beyond the allowed paths', () => {
  it('POL-01 rules allow what the task needs, and verification is repeated', async () => {
    const coder = [() => (repo.put('Makefile', 'all:\n'), good())];
    const { state, path } = await flow({ task: { commands: ['make'] }, coder });
    expect(path.slice(3)).toEqual(['Verify', 'AllowPaths', 'Verify', 'InspectTests', 'Deliver']);
    expect(allowedPathsIn(state.payload)).toEqual(['Makefile']);
    expect(state.status).toBe('completed');
  });

  it('POL-02 a model allows one and discards another', async () => {
    const coder = [() => (repo.put('tracked.ts', 'needed'), repo.put('README.md', 'not needed'), good())];
    const judge = [
      '{"decisions":[{"path":"tracked.ts","decision":"allow"},{"path":"README.md","decision":"discard"}]}',
    ];
    const run = await flow({ task, coder, judge });
    expect(run.state.status).toBe('completed');
    expect(shown(run.judge[0])).toContain('tracked.ts');
    expect(allowedPathsIn(run.state.payload)).toEqual(['tracked.ts']);
    expect(readFileSync(join(repo.dir, 'README.md'), 'utf8')).toBe('old');
    expect(readFileSync(join(repo.dir, 'tracked.ts'), 'utf8')).toBe('needed');
  });

  it('POL-02 a denial ends the recovery, also for what is left after others were settled', async () => {
    const coder = [put('tracked.ts', 'x')];
    const denied = await flow({ task, coder, judge: ['{"tracked.ts": "deny"}'] });
    expect(denied.path.slice(-3)).toEqual(['AskJudge', 'DecidePaths', 'PolicyViolation']);
    expect(outcomeIn(denied.state.payload)).toMatchObject({ code: 'policy_violation' });
    const both = [() => (repo.put('tracked.ts', 'x'), repo.put('README.md', 'x'))];
    const half = await flow({ task, coder: both, judge: ['{"tracked.ts": "deny", "README.md": "allow"}'] });
    expect(half.judge).toHaveLength(1);
    expect(outcomeIn(half.state.payload)?.reason).toContain('tracked.ts');
    expect(outcomeIn(half.state.payload)?.reason).not.toContain('README.md');
  });

  it('POL-03 a product is undone, remembered, and not reported again', async () => {
    const coder = [() => (repo.put('work/run.trace', ''), good())];
    const { state, path } = await flow({ task, coder });
    expect(state.status).toBe('completed');
    expect(path.slice(4, 9)).toEqual(['AllowPaths', 'AskJudge', 'DecidePaths', 'DiscardGenerated', 'Verify']);
    expect(existsSync(join(repo.dir, 'work/run.trace'))).toBe(false);
    expect(readFileSync(learnedPathsFile(repo.base), 'utf8')).toBe('work/run.trace\n');
    const again = await flow({ task, coder });
    expect(again.path).not.toContain('AllowPaths');
  });

  it('POL-04 POL-05 what nothing settles is left as it is and needs rework; no model is asked where it is off', async () => {
    const rules = { policyRecoveryUseModel: false };
    const { state, judge, path } = await flow({ task, rules, coder: [put('tracked.ts', 'x')] });
    expect(judge).toEqual([]);
    expect(path.slice(-3)).toEqual(['AllowPaths', 'DiscardGenerated', 'PolicyViolation']);
    expect(readFileSync(join(repo.dir, 'tracked.ts'), 'utf8')).toBe('x');
    expect(outcomeIn(state.payload)).toMatchObject({ outcome: 'needs_rework', code: 'policy_violation' });
  });

  it('POL-04 discarding everything is there for those who ask for it', async () => {
    const rules = { policyRecoveryUseModel: false, policyDiscardAll: true };
    const coder = [() => (repo.put('tracked.ts', 'x'), good())];
    const { state } = await flow({ task, rules, coder });
    expect(state.status).toBe('completed');
    expect(pathsIn(state.payload, PATHS_DISCARDED)).toEqual(['tracked.ts']);
  });

  it('POL-06 the judge is asked as often as its limit says', async () => {
    const coder = [() => (repo.put('tracked.ts', 'x'), repo.put('README.md', 'x'), good())];
    const judge = ['{"tracked.ts": "allow"}', '{"README.md": "allow"}'];
    const once = await flow({ task, coder, judge, visits: { AskJudge: 1 } });
    expect(once.judge).toHaveLength(1);
    expect(outcomeIn(once.state.payload)?.code).toBe('policy_violation');
    expect((await flow({ task, coder, judge })).state.status).toBe('completed');
  });

  it('B-17 docser gets no allowance and no model', async () => {
    const docs = { role: 'docser' as const, allowedPaths: ['docs/**'], commands: ['npm run check', 'make'] };
    const { state, judge, path } = await flow({ task: docs, coder: [put('tracked.ts', 'x')] });
    expect(judge).toEqual([]);
    expect(path.slice(-3)).toEqual(['AllowPaths', 'DiscardGenerated', 'PolicyViolation']);
    expect(outcomeIn(state.payload)?.code).toBe('policy_violation');
  });
});

describe('direct mode', () => {
  let root: string;
  beforeEach(() => {
    root = folderWith({ 'src/a.txt': 'old', 'check.js': CHECK, 'README.md': 'old' });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const direct = (options: Partial<FlowOptions>) =>
    runFlow('direct-task', { tree: folderTree(root), projectDir: root, ...options });

  it('has the same ladder as the other modes, but what weakened its checks is not delivered with a mark', () => {
    const shape = (name: string) => {
      const file = new URL(`../../../workflows/${name}.json`, import.meta.url);
      const drop = (key: string, value: unknown) =>
        ['description', 'instructions', 'SuspiciousChange'].includes(key) ? undefined : value;
      return JSON.parse(readFileSync(file, 'utf8'), drop) as unknown;
    };
    const delivered = { on_signal: 'SIGNAL:SUSPICIOUS', action: 'JUMP:Delivery__Deliver' };
    const stopped = { on_signal: 'SIGNAL:SUSPICIOUS', action: 'JUMP:SuspiciousChange' };
    const [code, direct] = [shape('code-task'), shape('direct-task')].map((each) => JSON.stringify(each));
    expect(code).toContain(JSON.stringify(delivered));
    expect(direct).toBe(code?.replace(JSON.stringify(delivered), JSON.stringify(stopped)));
  });

  it('RUN-18 delivers with the groups of files and the results of the commands', async () => {
    const coder = [() => (putIn(root, 'src/a.txt', 'good'), putIn(root, 'src/new.ts', ''))];
    const { delivered, state } = await direct({ task, coder });
    expect(state.status).toBe('completed');
    expect(delivered[0]?.evidence).toMatchObject({
      changes: { changed: ['src/a.txt'], added: ['src/new.ts'], removed: [] },
      commands: [{ command: 'node check.js', result: 'passed' }],
    });
  });

  it('ST-05 a failing command needs rework here too', async () => {
    const { state } = await direct({
      task,
      visits: { Fix: 0 },
      coder: [() => putIn(root, 'src/a.txt', 'bad')],
    });
    expect(outcomeIn(state.payload)).toMatchObject({ outcome: 'needs_rework', code: 'verification_failed' });
  });

  it('POL-07 an added file goes to the trash, a changed one needs rework', async () => {
    const tree = folderTree(root);
    const coder = [() => (putIn(root, 'junk.log', ''), putIn(root, 'README.md', 'changed'))];
    const { state } = await direct({ tree, task, coder });
    expect(existsSync(join(tree.trash, 'junk.log'))).toBe(true);
    expect(existsSync(join(root, 'junk.log'))).toBe(false);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe('changed');
    expect(outcomeIn(state.payload)).toMatchObject({ code: 'policy_violation' });
    expect(outcomeIn(state.payload)?.reason).toMatch(/README\.md/);
    expect(outcomeIn(state.payload)?.reason).not.toMatch(/junk\.log/);
  });
});
