import { describe, expect, it } from 'vitest';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { WorkerServices } from '../services.ts';
import { contextFor, recordedRun, servicesFor } from '../testing.ts';
import { deliver } from './deliver.ts';

const evidence = (result: string): ContextSegment => ({
  id: 'v',
  type: 'VERIFICATION',
  content: { result, commands: [] },
});

async function run(payload: ContextSegment[], services: Partial<WorkerServices> = {}) {
  const parameters = { task: { id: '7', title: 'Add a sum', goal: 'So that it can add.' } };
  return deliver(servicesFor(services)).run(contextFor({ payload, with: parameters }), recordedRun());
}

describe('Internal:Deliver', () => {
  it('RUN-08 delivers nothing that was not verified', async () => {
    const delivery = { deliver: () => Promise.reject(new Error('must not be called')) };
    for (const payload of [[], [evidence('failed')], [evidence('verified'), evidence('no_change')]]) {
      expect(await run(payload, { delivery })).toMatchObject({ signal: 'SIGNAL:FAILURE' });
    }
  });

  it('hands over the evidence, and notes what came of it', async () => {
    const seen: unknown[] = [];
    const delivery: WorkerServices['delivery'] = {
      async deliver(work) {
        seen.push(work);
        return { artifacts: [{ type: 'pr', ref: '#1' }], review: true };
      },
    };
    const { signal, new_payload } = await run([evidence('verified')], { delivery });
    expect(signal).toBe('SIGNAL:SUCCESS');
    expect(seen).toMatchObject([{ evidence: { result: 'verified', commands: [] } }]);
    expect(new_payload.at(-1)).toMatchObject({
      type: 'DELIVERY',
      fact: true,
      content: { artifacts: [{ type: 'pr', ref: '#1' }], review: true },
    });
  });

  it('CHT-09 what was flaky waits for a verdict, also where nothing else would', async () => {
    const delivery = {
      deliver: () => Promise.resolve({ artifacts: [{ type: 'direct_edit', ref: 'r' }], review: false }),
    };
    const commands = [{ command: 'npm test', result: 'flaky' }];
    const flaky = { id: 'v', type: 'VERIFICATION', content: { result: 'unverified', commands } };
    const { new_payload } = await run([flaky], { delivery });
    expect(new_payload.at(-1)).toMatchObject({ type: 'DELIVERY', content: { review: true } });
  });

  it('VER-04 ST-03 has nothing to deliver for a no-op', async () => {
    expect(await run([evidence('no_op')])).toMatchObject({ signal: 'SIGNAL:SUCCESS' });
  });

  it('explains what is missing and what went wrong', async () => {
    const without = await run([evidence('verified')]);
    expect(without.new_payload.at(-1)?.content).toContain('nowhere to deliver to');
    const delivery = { deliver: () => Promise.reject(new Error('push refused')) };
    const refused = await run([evidence('verified')], { delivery });
    expect(refused.signal).toBe('SIGNAL:FAILURE');
    expect(refused.new_payload.at(-1)?.content).toContain('push refused');
  });
});
