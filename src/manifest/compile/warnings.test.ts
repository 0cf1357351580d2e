import { describe, expect, it } from 'vitest';
import { compileManifest } from '../compile.ts';
import { formatProblem } from '../problem.ts';
import type { Worker, WorkerRegistry } from '../worker.ts';

type Block = { [field: string]: unknown };

const block = (ways: { [signal: string]: string }, fields: Block = {}): Block => ({
  worker: 'w',
  transitions: Object.entries(ways).map(([signal, action]) => ({ on_signal: `SIGNAL:${signal}`, action })),
  ...fields,
});

function warnings(nodes: { [node: string]: { [name: string]: Block } }, workers?: WorkerRegistry): string[] {
  const input = Object.fromEntries(
    Object.entries(nodes).map(([id, blocks]) => [id, { entry_block: Object.keys(blocks)[0], blocks }]),
  );
  const { manifest, problems } = compileManifest(input, workers ? { workers } : {});
  expect(manifest).toBeDefined();
  expect(problems.every((problem) => problem.severity === 'warning')).toBe(true);
  return problems.map(formatProblem);
}

function only(worker: Partial<Worker>): WorkerRegistry {
  return { get: () => ({ run: () => Promise.reject(new Error('never run at load')), ...worker }) };
}

describe('unreachable blocks', () => {
  it('ENG-06 warns of a block that no entry block leads to', () => {
    expect(
      warnings({
        A: {
          Go: block({ S: 'JUMP:End' }),
          Lost: block({ S: 'JUMP:Lost2' }),
          Lost2: block({}),
          End: block({}),
        },
      }),
    ).toEqual([
      expect.stringContaining('node A, block Lost: No entry block of any node leads here'),
      expect.stringContaining('node A, block Lost2: No entry block'),
    ]);
  });

  it('ENG-06 counts calls, return addresses, other nodes and the block after a halt', () => {
    const nodes = {
      A: {
        Go: block({ S: 'CALL:B' }),
        Back: block({ S: 'HALT_AND_FLAG' }),
        Resumed: block({ S: 'CALL:B:Named' }),
        Other: block({}),
        Named: block({ S: 'JUMP:B__Side' }),
      },
      B: { Start: block({ S: 'RETURN' }), Side: block({ S: 'RETURN' }) },
    };
    expect(warnings(nodes)).toEqual([expect.stringContaining('node A, block Other: ')]);
  });
});

describe('nodes and calls', () => {
  it('ENG-06 warns of a node that no way leads to from where a session starts', () => {
    const end = { X: block({ S: 'RETURN' }) };
    const nodes = { A: { Go: block({ S: 'JUMP:B' }) }, B: end, Lost: { Y: block({ S: 'JUMP:B' }) } };
    expect(warnings(nodes)).toEqual([
      expect.stringMatching(/^node Lost: No way leads here from A, where a session starts/),
    ]);
  });

  it('ACT-05 warns of a call that has no place to return to, unless "returns" say where to go', () => {
    const called = { X: block({ S: 'RETURN' }) };
    const returns = [{ on_signal: 'SIGNAL:S', action: 'RETURN' }];
    expect(warnings({ A: { Go: block({ S: 'CALL:B' }) }, B: called })).toEqual([
      expect.stringMatching(/^node A, block Go: CALL:B has no place to return to/),
    ]);
    expect(warnings({ A: { Go: block({ S: 'CALL:B' }), Then: block({}) }, B: called })).toEqual([]);
    expect(warnings({ A: { Go: block({ S: 'CALL:B' }, { returns }) }, B: called })).toEqual([]);
  });

  it.each(['SUCCESS', 'signal:SUCCESS', ':SUCCESS'])('ENG-03 refuses %s, which is no signal', (on_signal) => {
    const go = { worker: 'w', transitions: [{ on_signal, action: 'RETURN' }] };
    const { manifest, problems } = compileManifest({ A: { entry_block: 'Go', blocks: { Go: go } } });
    expect(manifest).toBeUndefined();
    expect(problems.map(formatProblem)).toEqual([
      `node A, block Go, transitions[0].on_signal: "${on_signal}" is not a signal; a signal begins with SIGNAL:. Write "SIGNAL:SUCCESS".`,
    ]);
  });
});

describe('blocks with no way out', () => {
  it('ENG-06 warns of each block from which no end can be reached', () => {
    const limits = { limits: { visits: 2 } };
    const nodes = {
      A: {
        Go: block({ S: 'JUMP:Spin', T: 'JUMP:End' }),
        Spin: block({ S: 'JUMP:Spin2' }, limits),
        Spin2: block({ S: 'JUMP:Spin' }),
        End: block({}),
      },
    };
    expect(warnings(nodes)).toEqual([
      expect.stringContaining('node A, block Spin: There is no way out'),
      expect.stringContaining('node A, block Spin2: There is no way out'),
    ]);
  });

  it.each(['RETURN', 'HALT_AND_FLAG', 'CALL:B'])('ENG-06 %s is a way out', (action) => {
    const nodes = {
      A: { Go: block({ S: 'JUMP:Go', T: action, U: 'JUMP:B' }, { limits: { visits: 1 } }) },
      B: { X: block({ S: 'RETURN' }) },
    };
    expect(warnings(nodes).filter((text) => !text.includes('no place to return to'))).toEqual([]);
  });

  it('ENG-06 a call in tail position is a way out, whatever the called node does', () => {
    const nodes = {
      A: { Go: block({ S: 'CALL:B' }) },
      B: { Spin: block({ S: 'JUMP:Spin' }, { limits: { visits: 1 } }) },
    };
    expect(warnings(nodes)).toEqual([
      expect.stringContaining('node A, block Go: CALL:B has no place to return to'),
      expect.stringContaining('node B, block Spin: There is no way out'),
    ]);
  });
});

const loop = (fields: Block = {}) => ({
  Write: block({ S: 'JUMP:Test' }),
  Test: block({ S: 'RETURN', F: 'JUMP:Fix' }, fields),
  Fix: block({ S: 'JUMP:Write' }),
});

describe('cycles without a limit', () => {
  it('ENG-32 warns once per cycle and names its blocks', () => {
    expect(warnings({ A: loop() })).toEqual([
      expect.stringContaining(
        'node A, block Write: A__Write, A__Test, A__Fix lead back to each other and none has limits',
      ),
    ]);
    const called = { Go: block({ S: 'CALL:A', T: 'CALL:B' }), End: block({}) };
    expect(warnings({ Main: called, A: loop(), B: loop() })).toHaveLength(2);
    expect(warnings({ A: { Go: block({ S: 'JUMP:Go', T: 'RETURN' }) } })).toEqual([
      expect.stringContaining('This block leads back to itself'),
    ]);
  });

  it.each([{ visits: 3 }, { minutes: 5 }, { sameFailure: 2 }, { visits: 0 }])(
    'ENG-32 %j limits it',
    (limits) => {
      expect(warnings({ A: loop({ limits }) })).toEqual([]);
    },
  );

  it('ENG-32 an empty limits object does not', () => {
    expect(warnings({ A: loop({ limits: {} }) })).toHaveLength(1);
  });

  it('ENG-32 finds the inner cycle that goes around the limited block', () => {
    const nodes = {
      A: {
        Outer: block({ S: 'JUMP:In' }, { limits: { visits: 3 } }),
        In: block({ S: 'JUMP:Back', T: 'JUMP:Outer' }),
        Back: block({ S: 'JUMP:In', T: 'RETURN' }),
      },
    };
    expect(warnings(nodes)).toEqual([expect.stringContaining('A__In, A__Back lead back to each other')]);
  });

  it('ENG-32 sees a cycle through a call and its return address', () => {
    const nodes = {
      A: { Go: block({ S: 'CALL:Sub:Again' }), Again: block({ S: 'JUMP:Go', T: 'RETURN' }) },
      Sub: { X: block({ S: 'RETURN' }) },
    };
    expect(warnings(nodes)).toEqual([expect.stringContaining('A__Go, A__Again lead back to each other')]);
  });

  it('ENG-32 a way back that goes through a halt is no cycle: a person decides each time', () => {
    expect(warnings({ A: { Ask: block({ S: 'HALT_AND_FLAG' }), Again: block({ S: 'JUMP:Ask' }) } })).toEqual(
      [],
    );
  });
});

describe('signals without a transition', () => {
  it('ENG-23 warns of each signal that the worker can emit and no transition handles', () => {
    const registry = only({ signals: ['SIGNAL:SUCCESS', 'SIGNAL:FAILURE'] });
    expect(warnings({ A: { Go: block({ SUCESS: 'RETURN' }) } }, registry)).toEqual([
      expect.stringMatching(
        /transitions: The worker can emit SIGNAL:SUCCESS, .*Did you mean "SIGNAL:SUCESS"\?$/,
      ),
      expect.stringContaining('The worker can emit SIGNAL:FAILURE'),
    ]);
    expect(warnings({ A: { Go: block({ SUCCESS: 'RETURN', FAIL_DEFAULT: 'RETURN' }) } }, registry)).toEqual(
      [],
    );
    expect(warnings({ A: { Go: block({}) } }, registry)).toEqual([]);
  });

  it('ENG-23 asks the worker which signals follow from its parameters', () => {
    const registry = only({
      signalsFor: ({ choices }) =>
        Array.isArray(choices) ? choices.map((choice) => `SIGNAL:${choice}`) : [],
    });
    expect(
      warnings({ A: { Go: block({ YES: 'RETURN' }, { with: { choices: ['YES', 'NO'] } }) } }, registry),
    ).toEqual([expect.stringContaining('The worker can emit SIGNAL:NO')]);
  });

  it('ENG-23 with signalFrom the values stand for success', () => {
    const registry = only({ signals: ['SIGNAL:SUCCESS', 'SIGNAL:FAILURE'] });
    const ways = { TRUE: 'RETURN', FALSE: 'RETURN', FAILURE: 'RETURN', VALIDATION_FAIL: 'RETURN' };
    const input = {
      nodes: {
        A: { entry_block: 'Go', blocks: { Go: block(ways, { validationSchema: 's', signalFrom: 'ok' }) } },
      },
      schemas: { s: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } },
    };
    expect(compileManifest(input, { workers: registry }).problems).toEqual([]);
  });

  it('ENG-03 warns of a second transition for the same signal', () => {
    const transitions = [
      { on_signal: 'SIGNAL:S', action: 'RETURN' },
      { on_signal: 'SIGNAL:S', action: 'HALT_AND_FLAG' },
    ];
    expect(warnings({ A: { Go: { worker: 'w', transitions } } })).toEqual([
      'node A, block Go, transitions[1]: SIGNAL:S has a transition above, so this one is never used; remove one.',
    ]);
  });

  it('TFX-11 warns when output that fails validation has no way', () => {
    const checked = { validationSchema: 'json' };
    const words = 'node A, block Go, transitions: Output that does not match json has no way';
    expect(warnings({ A: { Go: block({ SUCCESS: 'RETURN' }, checked) } })).toEqual([
      expect.stringContaining(words),
    ]);
    expect(warnings({ A: { Go: block({}, checked) } })).toEqual([expect.stringContaining(words)]);
    for (const way of ['VALIDATION_FAIL', 'FAIL_DEFAULT']) {
      expect(warnings({ A: { Go: block({ [way]: 'RETURN' }, checked) } })).toEqual([]);
    }
  });
});
