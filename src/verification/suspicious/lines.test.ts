import { describe, expect, it, test } from 'vitest';
import { readDiffLines } from '../../workspace/git/diff-lines.ts';
import { kindsWith } from './file-kinds.ts';
import { suspiciousLines } from './lines.ts';
import tables from './tables.json' with { type: 'json' };

/** One line for every pattern of the table: the rule, the file it stands in, and the line. */
const LINES: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['test_conditional', 'test/a.test.ts', "it.skipIf(onCi)('adds', () => {"],
  ['test_conditional', 'test/a.test.ts', 'const there = found ? describe.skip : describe;'],
  ['test_conditional', 'tests/test_a.py', '@pytest.mark.skipif(sys.platform == "win32", reason="no")'],
  ['test_conditional', 'a_test.go', 'if testing.Short() {'],
  ['test_skipped', 'test/a.test.ts', "test.skip('adds', () => {"],
  ['test_skipped', 'test/a.test.ts', "xit('adds', () => {"],
  ['test_skipped', 'test/a.test.js', '  t.skip();'],
  ['test_skipped', 'test/a.test.js', "test('adds', { skip: true }, () => {"],
  ['test_skipped', 'test/a.js', "Dates.skip('is equal', () => {"],
  ['test_only', 'test/a.js', "Dates.only('is equal', () => {"],
  ['test_only', 'test/a.test.ts', "describe.only('sums', () => {"],
  ['test_only', 'test/a.test.ts', "fit('adds', () => {"],
  ['test_only', 'test/a.test.js', "test('adds', { only: true }, () => {"],
  ['test_skipped', 'tests/test_a.py', '@pytest.mark.xfail'],
  ['test_skipped', 'tests/test_a.py', '    pytest.skip("later")'],
  ['test_skipped', 'tests/test_a.py', '@unittest.expectedFailure'],
  ['test_skipped', 'tests/test_a.py', '        self.skipTest("later")'],
  ['test_skipped', 'tests/conftest.py', 'collect_ignore = ["test_a.py"]'],
  ['test_skipped', 'tests/test_a.py', '    __test__ = False'],
  ['test_skipped', 'a_test.go', '\tt.Skip("later")'],
  ['test_skipped', 'a_test.go', '//go:build ignore'],
  ['test_skipped', 'a_test.go', '// +build ignore'],
  ['test_skipped', 'src/lib.rs', '    #[ignore]'],
  ['test_skipped', 'src/lib.rs', '#[cfg(any())]'],
  ['test_skipped', 'src/test/java/ATest.java', '  @Disabled("later")'],
  ['test_skipped', 'src/test/java/ATest.java', '    assumeTrue(false);'],
  ['test_skipped', 'ATests.cs', '[Ignore("later")]'],
  ['test_skipped', 'ATests.cs', '[Fact(Skip = "later")]'],
  ['test_skipped', 'spec/a_spec.rb', "  xit 'adds' do"],
  ['test_skipped', 'tests/ATest.php', '    $this->markTestSkipped();'],
  ['test_skipped', 'ATests.swift', '    throw XCTSkip("later")'],
  ['test_skipped', 'test/a_test.exs', '  @tag :skip'],
  ['test_skipped', 'test/a_test.dart', "  test('adds', () {}, skip: true);"],
  ['test_skipped', 'a_test.cc', '  GTEST_SKIP();'],
  ['test_skipped', 'a_test.cc', 'TEST(Sum, DISABLED_Adds) {'],
  ['check_switched_off', 'package.json', '    "check": "tsc || true",'],
  ['check_switched_off', 'package.json', '    "check": "tsc; exit 0",'],
  ['check_switched_off', '.github/workflows/ci.yml', '        continue-on-error: true'],
  ['check_switched_off', '.gitlab-ci.yml', '  allow_failure: true'],
  ['check_switched_off', '.github/workflows/ci.yml', '    if: false'],
  ['check_switched_off', 'Makefile', '\tset +e'],
  ['check_switched_off', 'package.json', '    "unit": "jest --passWithNoTests",'],
  ['check_switched_off', 'vitest.config.ts', '    passWithNoTests: true,'],
  ['check_switched_off', 'package.json', '    "check": "npm run unit --if-present",'],
  ['check_switched_off', 'package.json', '    "test": "echo fine",'],
  ['tests_left_out', 'package.json', '    "unit": "pytest --deselect tests/test_a.py",'],
  ['tests_left_out', 'jest.config.js', '  testPathIgnorePatterns: ["a.test.js"],'],
  ['tests_left_out', 'Makefile', '\tmvn package -DskipTests'],
  ['patience_raised', 'vitest.config.ts', '    retry: 3,'],
  ['patience_raised', 'package.json', '    "unit": "mocha --retries 4",'],
  ['patience_raised', 'test/a.test.js', 'jest.setTimeout(99999);'],
  ['patience_raised', 'tests/test_a.py', '@pytest.mark.flaky(reruns=3)'],
  ['patience_raised', 'package.json', '    "unit": "pytest --reruns 3",'],
  ['coverage_lowered', 'vitest.config.ts', '    thresholds: { lines: 10 },'],
  ['assertion_patched', 'src/a.js', 'assert.equal = () => {};'],
  ['assertion_patched', 'src/a.js', "Object.defineProperty(assert, 'equal', { value: () => {} });"],
  ['assertion_patched', 'src/a.py', 'unittest.TestCase.assertEqual = lambda *_: None'],
  ['runner_noticed', 'src/a.js', 'if (process.env.NODE_TEST_CONTEXT) module.exports = () => 4;'],
  ['runner_noticed', 'app/a.py', 'if "pytest" in sys.modules:'],
  ['runner_noticed', 'a.go', 'if testing.Testing() {'],
  ['test_noticed', 'src/a.js', "if (process.env.NODE_ENV === 'test') return;"],
  ['test_noticed', 'src/a.js', 'if (process.env.VITEST) return;'],
  ['check_suppressed', 'src/a.ts', '// eslint-disable-next-line no-undef'],
  ['check_suppressed', 'src/a.ts', '// biome-ignore lint: later'],
  ['check_suppressed', 'src/a.ts', '// @ts-ignore'],
  ['check_suppressed', 'app/a.py', 'import os  # noqa'],
  ['check_suppressed', 'app/a.py', 'x = y  # type: ignore'],
  ['check_suppressed', 'app/a.py', '# pylint: disable=all'],
  ['check_suppressed', 'a.go', 'x := y //nolint'],
  ['check_suppressed', 'src/lib.rs', '#![allow(warnings)]'],
  ['check_suppressed', 'src/main/java/A.java', '@SuppressWarnings("all")'],
  ['check_suppressed', 'A.cs', '#pragma warning disable'],
  ['check_suppressed', 'src/a.ts', '/* c8 ignore next */'],
  ['check_suppressed', 'app/a.py', 'if x:  # pragma: no cover'],
  ['check_suppressed', 'app/a.py', 'run(x)  # nosec'],
];

const KINDS = kindsWith({ scripts: new Set(['package.json', 'Makefile']) });
const diffOf = (path: string, text: string, before = '') =>
  `--- a/${path}\n+++ b/${path}\n@@ -3,${before === '' ? 0 : 1} +3,1 @@\n${before === '' ? '' : `-${before}\n`}+${text}\n`;

describe('CHT-05 lines that switch a check off', () => {
  it.each(LINES)('%s in %s: %s', (rule, path, text) => {
    const weight = tables.lines.find((row) => row.rule === rule)?.weight;
    expect(suspiciousLines(readDiffLines(diffOf(path, text)), KINDS)).toMatchObject([
      { rule, weight, path, line: 3 },
    ]);
    // The same line at another place was there before.
    expect(suspiciousLines(readDiffLines(diffOf(path, `  ${text}`, text)), KINDS)).toEqual([]);
  });

  test('every pattern of the table has its line here', () => {
    const missing = tables.lines.flatMap(({ rule, patterns }) =>
      patterns.filter(
        (pattern) => !LINES.some(([named, , text]) => named === rule && new RegExp(pattern).test(text)),
      ),
    );
    expect(missing).toEqual([]);
  });

  test('a skip in a file that is new switches off no test that was there', () => {
    const diff = "--- /dev/null\n+++ b/test/b.test.ts\n@@ -0,0 +1,1 @@\n+test.skip('later', () => {});\n";
    expect(suspiciousLines(readDiffLines(diff), KINDS)).toMatchObject([{ weight: 'soft' }]);
  });
});
