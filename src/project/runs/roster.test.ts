import { expect, test } from 'vitest';
import { unconfigured, withProjectWorkers } from './roster.ts';

const NODES = { A: { entry_block: 'B', blocks: {} } };

test('an entry of the project replaces what runs a worker and keeps its persona', () => {
  const document = { nodes: NODES, workers: { Coder: { persona: 'careful', agent: 'claude' } } };
  expect(withProjectWorkers(document, { Coder: { command: ['x'] }, Other: { command: ['y'] } })).toEqual({
    nodes: NODES,
    workers: { Coder: { persona: 'careful', command: ['x'] }, Other: { command: ['y'] } },
  });
});

test('a persona of the project leaves the runner as it is', () => {
  const document = { nodes: NODES, workers: { Coder: { command: ['x'] } } };
  expect(withProjectWorkers(document, { Coder: { persona: 'quick' } })).toMatchObject({
    workers: { Coder: { command: ['x'], persona: 'quick' } },
  });
});

test('a dictionary of nodes gets a roster, and a wrong document stays as it is', () => {
  expect(withProjectWorkers({ $schema: 's', ...NODES }, { Coder: { command: ['x'] } })).toEqual({
    nodes: NODES,
    workers: { Coder: { command: ['x'] } },
  });
  expect(withProjectWorkers([1], { Coder: {} })).toEqual([1]);
});

test('unconfigured names the roster workers that nothing runs', () => {
  const workers = { A: { persona: 'p' }, B: { command: ['x'] }, C: { agents: ['y'] } };
  expect(unconfigured({ nodes: NODES, workers })).toEqual(['A']);
  expect(unconfigured(NODES)).toEqual([]);
});
