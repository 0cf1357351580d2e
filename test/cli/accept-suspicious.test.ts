import { describe, expect, it } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import type { Worker } from '../../src/manifest/worker.ts';
import { SessionManager } from '../../src/orchestrator/state/session-manager.ts';
import { openProject } from '../../src/project/project.ts';
import { SUSPICIOUS_CHANGE, type SuspiciousChange } from '../../src/verification/suspicious/segment.ts';
import { answer } from '../../src/workers/answer.ts';
import { TreeCheckpoints } from '../../src/workspace/checkpoints/tree-checkpoints.ts';
import { loopwright } from './support.ts';
import { git, repository } from './workspace-support.ts';

const removed: SuspiciousChange = {
  rule: 'test_removed',
  weight: 'hard',
  path: 'test/a.test.js',
  line: 12,
  what: 'test "adds" was green on the base and is gone',
};
const soft: SuspiciousChange = { ...removed, weight: 'soft', path: 'soft.js' };

const passes = (action: string) => [{ on_signal: 'SIGNAL:SUCCESS', action }];
const flow = (after: string): object => ({
  nodes: {
    Main: {
      entry_block: 'Write',
      blocks: {
        Write: {
          worker: 'Internal:Command',
          with: { argv: ['node', 'act.mjs', 'write', 'a.txt', 'one\n'] },
          transitions: passes('JUMP:Check'),
        },
        Check: {
          worker: 'Internal:Command',
          with: { argv: ['node', '--check', 'act.mjs'] },
          transitions: passes('JUMP:Inspect'),
        },
        Inspect: { worker: 'Inspect', transitions: passes(after) },
        Wait: { worker: 'Inspect', transitions: passes('HALT_AND_FLAG') },
      },
    },
  },
  gates: ['Main__Check'],
});
const workflow = flow('RETURN');
const halting = flow('HALT_AND_FLAG');

/** What the engine's own inspection notes. */
const inspects = (kind: 'engine' | 'program', ...lists: readonly SuspiciousChange[][]): Worker => ({
  kind,
  run: async (context, run) => {
    const { worktree_path: folder = '', session_id: id } = context.system_metadata;
    // About the very files: what was found about others is looked at again.
    const tree = await new TreeCheckpoints(folder, id).tree();
    const segments = lists.map((found) => ({
      type: SUSPICIOUS_CHANGE,
      content: { tree, found: found.map((change) => ({ ...change })) },
    }));
    return answer('SIGNAL:SUCCESS', context, run, ...segments);
  },
});

async function session(cwd: string, Inspect: Worker, document: object = workflow): Promise<string> {
  const run = await openProject(cwd).run('change it', { workflow: document as never, workers: { Inspect } });
  await run.ended;
  return run.id;
}

/** As the engine halts a session whose checks pass and whose changes make them worth less. */
async function haltSuspicious(cwd: string, id: string): Promise<void> {
  const manager = SessionManager.onDisk(`${cwd}/.loopwright/sessions`);
  const open = await manager.open(id);
  const halt = { reason: 'suspicious', message: 'found', block: 'Main__Inspect', resumeAt: null } as const;
  open.changeStatus({ to: 'halted', halt });
  open.release();
}

describe('accept of suspicious changes', () => {
  it('CHT-10 hard ones are refused with their names; with a reason they are accepted and recorded', async () => {
    const cwd = repository();
    const id = await session(cwd, inspects('engine', [soft], [soft, removed]));
    const head = git(cwd, 'rev-parse', 'main');
    const refused = await loopwright(['accept', id, '--unproven'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(
        `1 change of session ${shortId(id)} makes its checks worth less, so nothing was delivered:\n- test/a.test.js:12: test "adds" was green on the base and is gone (test_removed)\n`,
      ),
    ]);
    expect(refused.stderr).toMatch(/next: .* accept \w{6} --suspicious "<reason>"/);
    expect((await loopwright(['accept', id, '--suspicious', ' '], { cwd })).code).toBe(1);
    expect(git(cwd, 'rev-parse', 'main')).toBe(head);
    const accepted = await loopwright(['accept', id, '--suspicious', 'the feature went away'], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    expect(git(cwd, 'log', '-1', '--format=%B')).toContain(
      'Suspicious changes were accepted by a person: the feature went away\n- test/a.test.js:12: test "adds" was green on the base and is gone (test_removed)\n',
    );
  });

  it('CHT-10 only the newest look counts, and soft ones keep nothing', async () => {
    const cwd = repository();
    const id = await session(cwd, inspects('engine', [removed], [soft]));
    const accepted = await loopwright(['accept', id], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    expect(git(cwd, 'log', '-1', '--format=%B')).not.toContain('Suspicious');
  });

  it('CHT-10 a session that halted for it is accepted with the reason alone, if its gates passed', async () => {
    const cwd = repository();
    const id = await session(cwd, inspects('engine', [removed]), halting);
    const flagged = await loopwright(['accept', id, '--suspicious', 'fine'], { cwd });
    expect(flagged.stderr).toContain('is not proven: it is halted');
    await haltSuspicious(cwd, id);
    expect((await loopwright(['accept', id], { cwd })).stderr).toContain('makes its checks worth less');
    const shown = await loopwright(['show', id], { cwd });
    expect(shown.stdout).toContain(`accept ${shortId(id)} --suspicious "<reason>"`);
    expect((await loopwright(['accept', id, '--suspicious', 'fine'], { cwd })).code).toBe(0);
    expect(git(cwd, 'log', '-1', '--format=%B')).toContain('accepted by a person: fine');
  });

  it('CHT-10 it is not enough where a gate has not passed on these files', async () => {
    const cwd = repository();
    const open = { ...halting, gates: ['Main__Check', 'Main__Wait'] };
    const id = await session(cwd, inspects('engine', [removed]), open);
    await haltSuspicious(cwd, id);
    const refused = await loopwright(['accept', id, '--suspicious', 'fine'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('is not proven: Main__Wait never ran'),
    ]);
  });
});
