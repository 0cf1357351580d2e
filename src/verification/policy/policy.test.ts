import { describe, expect, it } from 'vitest';
import type { Violation } from '../report.ts';
import { readRules } from '../rules.ts';
import { readTaskFacts, type TaskFacts } from '../task-facts.ts';
import { allowancesFor } from './allowance.ts';
import { discardable, readDecisions } from './decisions.ts';
import { findViolations, isSafePath } from './violations.ts';

const task = (more: Partial<TaskFacts> = {}) => readTaskFacts({ allowedPaths: ['src/**'], ...more });
const outside = (...paths: string[]): Violation[] => paths.map((path) => ({ path, why: 'outside' }));

describe('violations', () => {
  const find = (paths: string[], more: Partial<Parameters<typeof findViolations>[1]> = {}) =>
    findViolations(paths, { allowed: ['src/**'], denied: [], mode: 'local-git', ...more });

  it('POL-01 a path that is denied, or that no pattern allows', () => {
    expect(find(['src/a.ts', 'src/.b', 'x.ts'])).toEqual(outside('x.ts'));
    expect(find(['src/secret.ts'], { denied: ['src/secret*'] })).toEqual([
      { path: 'src/secret.ts', why: 'denied' },
    ]);
    expect(find(['anything'], { allowed: [] })).toEqual([]);
    expect(find(['lib/a/b'], { allowed: ['lib/'] })).toEqual([]);
    expect(find(['lib/a'], { allowed: ['!src/x'] })).toEqual(outside('lib/a'));
  });

  it('VER-13 lock files at the root always, examples of settings outside github', () => {
    expect(find(['package-lock.json', 'pnpm-lock.yaml', '.env.example'])).toEqual([]);
    expect(find(['packages/a/package-lock.json'])).toHaveLength(1);
    expect(find(['.env.example'], { mode: 'github' })).toHaveLength(1);
    expect(find(['package-lock.json'], { denied: ['package-lock.json'] })).toHaveLength(1);
  });
});

describe('allowances by rules', () => {
  const allowed = (paths: string[], more: Partial<TaskFacts> = {}, mode = 'aggressive', rules = {}) =>
    allowancesFor(outside(...paths), task(more), readRules({ policyRecoveryMode: mode, ...rules }));

  it('POL-01 the Makefile of a task that runs make', () => {
    expect(allowed(['Makefile', 'lib/other.c'], { commands: ['make'] })).toEqual(['Makefile']);
  });

  it('POL-01 conservative: only files that the task names', () => {
    const named = { expectedFiles: ['tools/gen.ts'], commands: ['make'] };
    expect(allowed(['tools/gen.ts', 'Makefile'], named, 'conservative')).toEqual(['tools/gen.ts']);
  });

  it('POL-01 balanced: also build files, where the task is about building', () => {
    const paths = ['Makefile', 'boot/link.ld', 'root.txt', 'src2/x.ts'];
    expect(allowed(paths, { title: 'Fix the build' }, 'balanced')).toEqual(['Makefile', 'boot/link.ld']);
    expect(allowed(paths, { title: 'Say hello' }, 'balanced')).toEqual([]);
  });

  it('POL-01 aggressive: also files at the root of such a task, and those that belong to its commands', () => {
    expect(allowed(['root.txt', 'deep/x.txt'], { title: 'Fix the build' })).toEqual(['root.txt']);
    expect(allowed(['.cargo/config.toml'], { commands: ['cd a && cargo test'] })).toEqual([
      '.cargo/config.toml',
    ]);
    const rules = { policyCommandRules: [{ pattern: '^zig', paths: ['zig/'] }] };
    expect(allowed(['zig/x'], { commands: ['zig test'] }, 'aggressive', rules)).toEqual(['zig/x']);
  });

  it('POL-01 aggressive: also a build file that the change needs, where no command is of another build tool', () => {
    const paths = ['Makefile', 'lib/CMakeLists.txt', 'lib/other.c', 'package.json'];
    expect(allowed(paths, { title: 'Say hello' })).toEqual(['Makefile', 'lib/CMakeLists.txt']);
    expect(allowed(paths, { title: 'Say hello', commands: ['npm test'] })).toEqual([
      'Makefile',
      'lib/CMakeLists.txt',
    ]);
    expect(allowed(['Makefile'], { title: 'Say hello', commands: ['go test ./...'] })).toEqual([]);
    expect(allowed(['Makefile'], { title: 'Say hello' }, 'balanced')).toEqual([]);
    expect(allowed(['Makefile'], { title: 'Say hello', origin: 'imported' })).toEqual([]);
  });

  it('POL-01 adds violating paths only, never a denied or an unsafe one', () => {
    expect(allowed([], { commands: ['make', 'cargo test'] })).toEqual([]);
    const denied: Violation[] = [{ path: 'Makefile', why: 'denied' }];
    expect(allowancesFor(denied, task({ commands: ['make'] }), readRules({}))).toEqual([]);
    for (const path of ['../x', '/etc/x', 'a/../../x', 'x*', '.git/config', '']) {
      expect([path, isSafePath(path)]).toEqual([path, false]);
    }
    expect(allowed(['a*'], { title: 'build' })).toEqual([]);
  });

  it('B-17 none for documentation', () => {
    expect(allowed(['Makefile'], { role: 'docser', commands: ['make'] })).toEqual([]);
  });
});

describe('decisions of a model', () => {
  const violations: Violation[] = [...outside('a', 'b', 'c'), { path: 'no', why: 'denied' }];

  it.each([
    '{"decisions":[{"path":"a","decision":"allow"},{"path":"b","action":"DISCARD"},{"path":"c","decision":"deny"}]}',
    '```json\n[{"path":"./a","decision":"allow"},{"path":"b","verdict":"discard"},{"path":"c","decision":"deny"}]\n```',
    '{"allow":["a"],"discard":["b"],"deny":["c"]}',
    '{"a":"allow","b":"discard","c":"deny"}',
    '{"decisions":{"a":"allow","b":"discard","c":"deny"}}',
  ])('POL-02 reads %j', (text) => {
    expect(readDecisions(text, violations)).toEqual({ allow: ['a'], discard: ['b'], deny: ['c'] });
  });

  it('POL-02 only about paths that are violating now, and a denied path stays denied', () => {
    const text = '{"decisions":[{"path":"other","decision":"allow"},{"path":"no","decision":"allow"}]}';
    expect(readDecisions(text, violations)).toEqual({ allow: [], discard: [], deny: ['no'] });
    expect(readDecisions('{"a*":"allow"}', outside('a*'))).toEqual({ allow: [], discard: [], deny: ['a*'] });
  });

  it.each([
    '',
    'allow a',
    '{"decisions": [{"path": "a", "decision": "maybe"}]}',
    '{"decisions": [',
    '[1, null]',
    'The file says {"a":"allow"}',
    'Quoted:\n```json\n{"a":"allow"}\n```',
  ])('POL-02 %j decides nothing', (text) =>
    expect(readDecisions(text, violations)).toEqual({ allow: [], discard: [], deny: [] }),
  );
});

describe('what may be undone', () => {
  const tree = {
    ignored: async () => new Set(['ignored.ts']),
    tracked: async () => new Set(['ignored.ts', 'src.ts', 'old.log']),
  };

  it('POL-03 ignored, likely generated or unknown to the base; only the likely ones that the base does not know are remembered', async () => {
    const paths = ['ignored.ts', 'src.ts', 'old.log', 'new.ts', 'work/run.trace', 'reports/x.xml'];
    const { discard, learn } = await discardable(paths, tree, { all: false });
    expect(discard).toEqual(['ignored.ts', 'old.log', 'new.ts', 'work/run.trace', 'reports/x.xml']);
    expect([...learn]).toEqual(['work/run.trace', 'reports/x.xml']);
  });

  it('POL-04 everything only where that was asked for', async () => {
    expect((await discardable(['src.ts'], tree, { all: false })).discard).toEqual([]);
    expect((await discardable(['src.ts'], tree, { all: true })).discard).toEqual(['src.ts']);
  });
});
