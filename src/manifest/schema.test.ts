import { describe, expect, it } from 'vitest';
import { type JsonObject } from '../kernel/json.ts';
import type { WorkflowManifest } from './definition.ts';
import { formatProblem, ProblemReport } from './problem.ts';
import { checkShape } from './schema.ts';

function shapeProblems(document: JsonObject): string[] {
  const report = new ProblemReport();
  checkShape(document, report);
  return report.problems.map(formatProblem);
}

const block = { worker: 'w', transitions: [] };
const node = { entry_block: 'B', blocks: { B: block } };

describe('the shape of a manifest', () => {
  it('ENG-05 accepts the node dictionary and the body', () => {
    const full: WorkflowManifest = {
      $schema: './manifest.schema.json',
      description: 'all of it',
      nodes: {
        A: {
          description: 'a node',
          entry_block: 'B',
          context_inheritance: false,
          static_memory: { rules: ['x', { deep: null }] },
          blocks: {
            B: {
              description: 'a block',
              worker: 'w',
              payload_merge_strategy: ['ALL'],
              transitions: [{ on_signal: 'SIGNAL:S', action: 'RETURN' }],
              instructions: 'do',
              with: { a: 1 },
              artifacts: ['a.ts'],
              validationSchema: 'text',
              signalFrom: 'x',
              limits: { visits: 0, minutes: 0.5, sameFailure: 1 },
            },
          },
        },
      },
      workers: {
        w: { persona: 'p', command: ['node', 'x'] },
        v: { agents: ['a'], mode: 'headless', permissions: 'ask' },
      },
      budget: { steps: 0, tokens: 1, usd: 0.5, minutes: 2 },
      gates: ['B'],
      schemas: { s: { type: 'string' } },
    };
    expect(shapeProblems(JSON.parse(JSON.stringify(full)))).toEqual([]);
    expect(shapeProblems({ A: node, B: node })).toEqual([]);
    expect(shapeProblems({ $schema: 'x', A: node })).toEqual([]);
  });

  it('ENG-05 takes a node called "nodes" for what it is', () => {
    expect(shapeProblems({ nodes: node, Other: node })).toEqual([]);
    expect(shapeProblems({ nodes: [] })).toEqual(['nodes: "nodes" must be an object, but is an empty list.']);
  });

  it('ENG-05 explains a budget beside a node dictionary', () => {
    expect(shapeProblems({ A: node, budget: { steps: 1 } })).toEqual([
      'budget: "budget" is not a node. When "budget" stands at the top, the nodes belong under a "nodes" key beside it.',
    ]);
  });

  it.each([
    ['FALSE', 'Write false, without quotes.'],
    ['true', 'Write true, without quotes.'],
    [0, 'must be true or false, but is 0.'],
    [null, 'must be true or false, but is null.'],
  ])('ENG-05 rejects context_inheritance %j', (context_inheritance, words) => {
    const problems = shapeProblems({ A: { ...node, context_inheritance } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('node A, context_inheritance: ');
    expect(problems[0]).toContain(words);
  });

  it.each([
    [{ on_signal: 'SIGNAL:S' }, 'transitions[1].action: "action" is missing; it must be a text.'],
    [{ action: 'RETURN' }, 'transitions[1].on_signal: "on_signal" is missing; it must be a text.'],
    [
      { on_signal: '', action: 'RETURN' },
      'transitions[1].on_signal: "on_signal" must be a text that is not empty, but is the text "".',
    ],
    [
      { on_signal: 'SIGNAL:S', actoin: 'RETURN', action: 'RETURN' },
      'transitions[1]: The key "actoin" is not known here. Did you mean "action"?',
    ],
    [5, 'transitions[1]: this entry must be an object, but is 5.'],
  ])('ENG-03 rejects the transition %j naming node, block and index', (transition, words) => {
    const transitions = [{ on_signal: 'SIGNAL:S', action: 'RETURN' }, transition];
    const problems = shapeProblems({ A: { ...node, blocks: { B: { ...block, transitions } } } });
    expect(problems).toEqual([`node A, block B, ${words}`]);
  });

  it('ENG-03 ignores the reserved keys guard and bind_args', () => {
    const transitions = [{ on_signal: 'SIGNAL:S', action: 'RETURN', guard: { any: 1 }, bind_args: 'x' }];
    expect(shapeProblems({ A: { ...node, blocks: { B: { ...block, transitions } } } })).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ worker: 5 }, 'worker: "worker" must be a text, but is 5.'],
    [{ worker: '' }, 'worker: "worker" must be a text that is not empty, but is the text "".'],
    [
      { payload_merge_strategy: 'ALL' },
      'payload_merge_strategy: "payload_merge_strategy" must be a list, but is the text "ALL".',
    ],
    [{ transitions: {} }, 'transitions: "transitions" must be a list, but is an object.'],
    [{ limits: { visits: -1 } }, 'limits.visits: "visits" must be 0 or more, but is -1.'],
    [{ limits: { visits: 1.5 } }, 'limits.visits: "visits" must be a whole number, but is 1.5.'],
    [{ limits: { minutes: 0 } }, 'limits.minutes: "minutes" must be more than 0, but is 0.'],
    [{ limits: { sameFailure: 0 } }, 'limits.sameFailure: "sameFailure" must be 1 or more, but is 0.'],
    [{ with: [] }, 'with: "with" must be an object, but is an empty list.'],
  ])('ENG-04 rejects a block with %j', (fields, words) => {
    expect(shapeProblems({ A: { ...node, blocks: { B: { ...block, ...fields } } } })).toEqual([
      `node A, block B, ${words}`,
    ]);
  });

  it('ENG-04 suggests the key that was meant', () => {
    const problems = shapeProblems({ A: { ...node, blocks: { B: { worker: 'w', transition: [] } } } });
    expect(problems).toContain(
      'node A, block B: The key "transition" is not known here. Did you mean "transitions"?',
    );
    expect(problems).toContain('node A, block B, transitions: "transitions" is missing; it must be a list.');
  });

  it('ENG-06 rejects wrong rosters, budgets and gates', () => {
    const problems = shapeProblems({
      nodes: { A: node },
      workers: { w: { command: [] }, v: { mode: 'fast' } },
      budget: { steps: -1, usd: '5' },
      gates: 'B',
      schemas: { s: 'text' },
      worker: {},
    });
    expect(problems).toEqual([
      'workers.w.command: "command" must be a list that is not empty, but is an empty list.',
      'workers.v.mode: "mode" must be one of "headless", "interactive", but is the text "fast".',
      'budget.steps: "steps" must be 0 or more, but is -1.',
      'budget.usd: "usd" must be a number, but is the text "5".',
      'gates: "gates" must be a list, but is the text "B".',
      'schemas.s: "s" must be an object, but is the text "text".',
      'The key "worker" is not known here. Did you mean "workers"?',
    ]);
  });
});
