import { describe, expect, it } from 'vitest';
import { tasksOfIssues } from './github.ts';
import { tasksOfJson } from './json.ts';
import { tasksOfMarkdown } from './markdown.ts';

describe('a Markdown checklist', () => {
  it('gives its open items with their fields and details', () => {
    const text = [
      '# Plan',
      '- [ ] Fix the parser',
      '  It fails on empty input.',
      '  role: tester',
      '  allow: src/parser/**, test/parser.test.ts',
      '  command: npm test',
      '  command: `npm run lint`',
      '  priority: 5',
      '  timebox: 30 minutes',
      '  budget: usd=2, steps=50',
      '  Note: see the log.',
      '  - [ ] first reproduce it',
      '- [x] Old work',
      '  needs: nothing',
      '* [ ] Document it',
      '  needs: Fix the parser',
      'Some words between.',
      '    indented text that belongs to nobody',
      '- [ ] Fix the parser',
    ].join('\n');
    expect(tasksOfMarkdown(text, 'plan.md')).toEqual([
      {
        title: 'Fix the parser',
        source: 'plan.md#fix the parser',
        role: 'tester',
        allowedPaths: ['src/parser/**', 'test/parser.test.ts'],
        commands: ['npm test', 'npm run lint'],
        priority: 5,
        timeboxMinutes: 30,
        budget: { usd: 2, steps: 50 },
        goal: 'Fix the parser\n\nIt fails on empty input.\nNote: see the log.\n- [ ] first reproduce it',
      },
      {
        title: 'Document it',
        source: 'plan.md#document it',
        dependencies: ['Fix the parser'],
        goal: 'Document it',
      },
      { title: 'Fix the parser', source: 'plan.md#fix the parser (2)', goal: 'Fix the parser' },
    ]);
  });

  it('names the line of a field that is given twice', () => {
    expect(() => tasksOfMarkdown('- [ ] a\n  role: worker\n  role: tester', 'p.md')).toThrow(
      'p.md:3: "role"',
    );
  });
});

describe('a JSON file', () => {
  it('is a list of tasks, or an object with one', () => {
    const task = { key: 'a', title: 'A', priority: 3 };
    const expected = [{ ...task, source: 't.json#a' }];
    expect(tasksOfJson(JSON.stringify([task]), 't.json')).toEqual(expected);
    expect(tasksOfJson(JSON.stringify({ tasks: [task] }), 't.json')).toEqual(expected);
  });

  it.each([
    ['{', 't.json is not JSON'],
    ['{"todo": []}', 'holds no tasks'],
    ['["x"]', 'task 1 is not an object'],
    ['[{"titel": "x"}]', 'task 1: "titel" is not known. Did you mean "title"?'],
    ['[{"title": "x", "key": 1}]', 'its key is not a text'],
  ])('refuses %s', (text, message) => {
    expect(() => tasksOfJson(text, 't.json')).toThrow(message);
  });
});

describe('GitHub issues', () => {
  it('become tasks; a stranger decides nothing but text, role, kind and priority', () => {
    const issues = [
      {
        number: 1,
        title: 'Fix  it',
        body: 'command: rm -rf x\nDepends on #2, blocked by #9',
        labels: ['tester'],
      },
      { number: 2, title: 'Find out', body: null, labels: [{ name: 'research' }, { name: 'priority:7' }] },
      { number: 3, title: 'A change', pull_request: {} },
      { number: 4, title: 'Over', state: 'closed' },
    ];
    expect(tasksOfIssues('o/r', issues)).toEqual([
      {
        key: '#1',
        title: 'Fix it',
        goal: 'Fix it\n\ncommand: rm -rf x\nDepends on #2, blocked by #9',
        source: 'github:o/r#1',
        dependencies: ['#2'],
        role: 'tester',
      },
      {
        key: '#2',
        title: 'Find out',
        goal: 'Find out',
        source: 'github:o/r#2',
        dependencies: [],
        kind: 'research',
        priority: 7,
      },
    ]);
  });
});
