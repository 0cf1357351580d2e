import { describe, expect, it } from 'vitest';
import type { AgentErrorKind } from '../../agents/event.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { asFact, type ContextSegment } from '../../manifest/segment.ts';
import type { FinalState } from '../../orchestrator/final-state.ts';
import type { HaltReason } from '../../orchestrator/state/record.ts';
import type { FailureCode } from '../../verification/commands/failure-code.ts';
import { releaseOf } from './outcome.ts';

const fact = (type: string, content: JsonObject): ContextSegment => ({
  id: type,
  type,
  content,
  ...asFact({}),
});
const agentRun = (more: JsonObject) =>
  fact('AGENT_RUN', { worker: 'Coder', agent: 'codex', ok: false, ...more });
const crashed = (kind: AgentErrorKind) => agentRun({ error: { kind, message: 'it broke' } });

function haltedWith(reason: HaltReason, ...payload: ContextSegment[]): FinalState {
  return {
    sessionId: 's',
    status: 'halted',
    isHalted: true,
    block: null,
    halt: { reason, message: 'halted', block: null, resumeAt: null },
    parkedUntil: null,
    parkedFor: null,
    parkedCause: null,
    outcome: null,
    reason: null,
    payload,
    returnStack: [],
    trail: [],
    used: { steps: 1, tokens: 0, usd: 0, ms: 0 },
  };
}

const classOf = (state: FinalState, inPlace = false) => releaseOf({ state }, { restMs: 1, inPlace });

describe('B-15 every failed attempt has a class', () => {
  it.each([
    ['auth', 'permission'],
    ['loop', 'model_loop'],
    ['network', 'env'],
    ['overloaded', 'env'],
    ['crash', 'model'],
    ['refused', 'model'],
  ] as const)('an agent that ends with %s: %s', (kind, failureClass) => {
    const release = classOf(haltedWith('flag', crashed(kind)));
    expect(release).toMatchObject({ state: 'failed', failureCode: 'agent_failed', failureClass });
    expect(release.outcome).toMatchObject({ class: failureClass });
  });

  it('what an agent was not allowed to use is no fault of its model', () => {
    const denied = agentRun({ denied: [{ tool: 'Bash', reason: 'no' }] });
    expect(classOf(haltedWith('flag', denied))).toMatchObject({ failureClass: 'permission' });
  });

  it.each([
    ['budget', 'permission'],
    ['limit', 'model_loop'],
    ['gate', 'test'],
    ['question', 'permission'],
    ['tampered', 'permission'],
    ['emptied', 'permission'],
    ['flaky', 'flaky'],
    ['unproven', 'permission'],
  ] as const)('a session that halts for %s: %s', (reason, failureClass) => {
    expect(classOf(haltedWith(reason))).toMatchObject({ block: 'needs_rework', failureClass });
  });

  const report = (result: string, code?: FailureCode) =>
    fact('VERIFICATION', {
      result,
      changes: { changed: [], added: [], removed: [] },
      dropped: [],
      leftBehind: [],
      violations: [],
      commands: code === undefined ? [] : [{ command: 'x', result: 'failed', blocking: true, code }],
      probes: [],
      missingFiles: [],
      redBefore: [],
      notes: [],
    });
  const outcome = (code: string) => fact('OUTCOME', { outcome: 'needs_rework', code });

  it.each([
    ['verification_failed', report('failed', 'failed'), 'test'],
    ['verification_failed', report('failed', 'setup_issue'), 'setup'],
    ['policy_violation', report('policy_violation'), 'policy'],
    ['policy_violation', report('denied_command', 'denied_command'), 'permission'],
    ['no_actionable_changes', report('no_change'), 'noop'],
    ['suspicious_change', report('verified'), 'permission'],
  ] as const)('%s: %s', (code, verification, failureClass) => {
    const state = haltedWith('flag', verification, outcome(code));
    expect(classOf(state)).toMatchObject({ failureCode: code, failureClass });
  });

  it('an agent that is not logged in has repaired nothing: that is why, whatever the checks say', () => {
    const state = haltedWith(
      'flag',
      report('failed', 'failed'),
      crashed('auth'),
      outcome('verification_failed'),
    );
    expect(classOf(state)).toMatchObject({ failureClass: 'permission' });
  });

  it("in the user's own folder a person looks before it is tried again", () => {
    const state = haltedWith('gate');
    expect(classOf(state, true)).toMatchObject({ byPerson: true });
    expect(classOf(state)).not.toHaveProperty('byPerson');
  });
});
