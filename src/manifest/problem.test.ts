import { describe, expect, it } from 'vitest';
import { formatProblem, inside, ProblemReport, quote } from './problem.ts';

describe('a problem', () => {
  it('ENG-06 is one line that names file, node, block and index', () => {
    const report = new ProblemReport('workflows.json');
    const block = { node: 'Core', block: 'Run', path: ['nodes', 'Core', 'blocks', 'Run'] };
    report.error(inside(block, 'transitions', 1, 'action'), 'wrong');
    expect(report.problems).toEqual([
      {
        severity: 'error',
        message: 'wrong',
        file: 'workflows.json',
        node: 'Core',
        block: 'Run',
        index: 1,
        path: ['nodes', 'Core', 'blocks', 'Run', 'transitions', 1, 'action'],
      },
    ]);
    expect(report.problems.map(formatProblem)).toEqual([
      'workflows.json: node Core, block Run, transitions[1].action: wrong',
    ]);
  });

  it.each([
    [{ path: [] }, 'wrong'],
    [{ path: ['gates', 0] }, 'gates[0]: wrong'],
    [{ node: 'A', path: ['A', 'entry_block'] }, 'node A, entry_block: wrong'],
    [{ node: 'nodes', path: ['nodes', 'nodes', 'entry_block'] }, 'node nodes, entry_block: wrong'],
    [{ node: 'A', block: 'B', path: ['A', 'blocks', 'B'] }, 'node A, block B: wrong'],
    [{ node: 'A\nerror: B', path: ['A'] }, 'node A\\u000aerror: B: wrong'],
  ])('ENG-06 formats %j', (place, line) => {
    expect(formatProblem({ severity: 'error', message: 'wrong', ...place })).toBe(line);
  });

  it('ENG-06 tells errors from warnings', () => {
    const report = new ProblemReport();
    report.warning({ path: [] }, 'odd');
    expect(report.hasErrors).toBe(false);
    report.error({ path: [] }, 'wrong');
    expect(report.hasErrors).toBe(true);
  });

  it('ENG-06 quotes a long value shortly', () => {
    expect(quote('x'.repeat(500))).toHaveLength(80);
    expect(quote(undefined)).toBe('undefined');
  });
});
