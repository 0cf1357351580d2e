import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../kernel/json.ts';
import type { ExecutionPayload } from '../manifest/segment.ts';
import { changePlanUpdate } from './change-plan.ts';
import type { ChangePlan } from './services.ts';
import { contextFor, recordedRun } from './testing.ts';

const files = (id: string, content: JsonValue) => ({ id, type: 'NEW_FILES_IDENTIFIED', content });

function recordingPlan(fail?: Error) {
  const calls: unknown[][] = [];
  const changePlan: ChangePlan = {
    addToChangePlan: (...args) => {
      calls.push(args);
      return fail ? Promise.reject(fail) : Promise.resolve();
    },
  };
  return { changePlan, calls };
}

const update = (changePlan: ChangePlan | undefined, payload: ExecutionPayload) =>
  changePlanUpdate(changePlan ? { changePlan } : {}).run(contextFor({ payload }), recordedRun());

describe('Internal:UpdateChangePlan', () => {
  it.each([
    ['a list', ['a.ts', 'b.ts']],
    ['the same as JSON text', '["a.ts","b.ts"]'],
  ])('WRK-20 reads %s of relative paths', async (_, content) => {
    const { changePlan, calls } = recordingPlan();
    await update(changePlan, [files('1', content)]);
    expect(calls).toEqual([[['a.ts', 'b.ts']]]);
  });

  it('WRK-21 calls the manager once, with exactly that list and nothing else', async () => {
    const { changePlan, calls } = recordingPlan();
    await update(changePlan, [files('1', ['a.ts', 'b.ts']), { id: '2', type: 'NOTE', content: ['c.ts'] }]);
    expect(calls).toEqual([[['a.ts', 'b.ts']]]);
  });

  it('WRK-22 leaves saving and the conflict scan to the manager it was given', async () => {
    const plan = new Set(['old.ts']);
    const clashes: string[] = [];
    const otherSession = new Set(['x.ts']);
    const changePlan: ChangePlan = {
      addToChangePlan: async (more) => {
        for (const file of more) plan.add(file);
        clashes.push(...[...plan].filter((file) => otherSession.has(file)));
      },
    };
    await update(changePlan, [files('1', ['x.ts'])]);
    expect([...plan]).toEqual(['old.ts', 'x.ts']);
    expect(clashes).toEqual(['x.ts']);
  });

  it('WRK-23 waits until the manager has finished', async () => {
    const order: string[] = [];
    let finish = () => {};
    const changePlan: ChangePlan = {
      addToChangePlan: () =>
        new Promise((resolve) => {
          finish = () => {
            order.push('manager');
            resolve();
          };
        }),
    };
    const updating = update(changePlan, [files('1', ['a.ts'])]).then(() => order.push('worker'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    finish();
    await updating;
    expect(order).toEqual(['manager', 'worker']);
  });

  it('WRK-24 succeeds and passes the payload on', async () => {
    const payload = [{ id: '0', type: 'NOTE', content: 'x' }, files('1', ['a.ts'])];
    expect(await update(recordingPlan().changePlan, payload)).toEqual({
      signal: 'SIGNAL:SUCCESS',
      new_payload: payload,
    });
    expect(await update(undefined, payload)).toEqual({ signal: 'SIGNAL:SUCCESS', new_payload: payload });
  });

  it('WRK-24 does not call the manager without a segment', async () => {
    const { changePlan, calls } = recordingPlan();
    expect((await update(changePlan, [])).signal).toBe('SIGNAL:SUCCESS');
    expect(calls).toEqual([]);
  });

  it('WRK-24 succeeds with a note when the manager rejects', async () => {
    const { changePlan } = recordingPlan(new Error('plan is locked'));
    const result = await update(changePlan, [files('1', ['a.ts'])]);
    expect(result).toMatchObject({ signal: 'SIGNAL:SUCCESS', new_payload: [{ id: '1' }, { type: 'ERROR' }] });
    expect(result.new_payload[1]?.content).toContain('a.ts: plan is locked');
  });

  it('WRK-24 joins several segments in order, each file once', async () => {
    const { changePlan, calls } = recordingPlan();
    await update(changePlan, [files('1', ['b.ts', 'a.ts']), files('2', ['a.ts', 'c.ts'])]);
    expect(calls).toEqual([[['b.ts', 'a.ts', 'c.ts']]]);
  });

  it('WRK-24 succeeds with a note when a segment is no list', async () => {
    const { changePlan, calls } = recordingPlan();
    const result = await update(changePlan, [files('1', 'many files'), files('2', ['a.ts'])]);
    expect(result).toMatchObject({ signal: 'SIGNAL:SUCCESS' });
    expect(result.new_payload.at(-1)?.content).toContain('Segment 1');
    expect(calls).toEqual([[['a.ts']]]);
  });
});
