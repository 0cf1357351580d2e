// What looking at the checks costs, on a project with 2,000 tests, as a ratio to one run of its tests in the same
// session: for a change that touches no test, and for one that adds a test. argv: [tests]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const command = here('../dist/bin/loopwright.js');
const TESTS = Number(process.argv[2] ?? 2000);
const FILES = 20;
// Nothing is run again where no check was touched; three trees and the base are tried where one was.
const AT_MOST = { untouched: 0.2, touched: 5 };
const base = realpathSync(mkdtempSync(join(tmpdir(), 'inspection-bench-')));
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(GIT_|LOOPWRIGHT_|NODE_TEST_CONTEXT)/.test(name)),
  ),
  LOOPWRIGHT_TRUST: '1',
  LOOPWRIGHT_SANDBOX: 'off',
};

try {
  let missed = false;
  const fix = { write: { path: 'src/sum.mjs', content: 'export const sum = (a, b) => a + b;\n' } };
  const test = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.mjs';\ntest('adds', () => assert.equal(sum(1, 2), 3));\n`;
  const cases = {
    untouched: [fix],
    touched: [fix, { write: { path: 'test/new.test.mjs', content: test } }],
  };
  for (const [name, steps] of Object.entries(cases)) {
    const { tests, inspection } = measured(name, steps);
    const ratio = inspection / tests;
    const holds = ratio <= AT_MOST[name];
    missed ||= !holds;
    console.log(
      `looking at the checks, ${TESTS} tests, ${name === 'touched' ? 'a test was added' : 'no test was touched'}: ${inspection} ms / one run ${tests} ms = ${ratio.toFixed(2)}x  at most ${AT_MOST[name]}x: ${holds ? 'holds' : 'MISSED'}`,
    );
  }
  process.exitCode = missed ? 1 : 0;
} finally {
  rmSync(base, { recursive: true, force: true });
}

function measured(name, steps) {
  const cwd = join(base, name);
  makeProject(cwd);
  const script = join(base, `${name}.json`);
  writeFileSync(script, JSON.stringify({ turns: [steps, [{ say: 'done' }]] }));
  const done = spawnSync(process.execPath, [command, 'run', 'add numbers', '--json'], {
    cwd,
    env: { ...env, LOOPWRIGHT_SCRIPT: script },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0) throw new Error(`${name}: ${done.stdout.slice(-2000)}${done.stderr}`);
  const events = done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ms = (block) =>
    events.find((event) => event.type === 'step.finished' && event.entry.block.endsWith(block)).entry.ms;
  return { tests: ms('RunTests'), inspection: ms('InspectTests') };
}

function makeProject(cwd) {
  mkdirSync(join(cwd, 'src'), { recursive: true });
  mkdirSync(join(cwd, 'test'));
  mkdirSync(join(cwd, '.loopwright'));
  writeFileSync(join(cwd, 'src/sum.mjs'), 'export const sum = (a, b) => a - b + 2 * b;\n');
  for (let file = 0; file < FILES; file++) {
    const tests = Array.from({ length: TESTS / FILES }, (_, i) => {
      const a = file * 100 + i;
      return `test('adds ${a}', () => assert.equal(sum(${a}, 1), ${a + 1}));`;
    });
    const head = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.mjs';\n`;
    writeFileSync(join(cwd, `test/f${file}.test.mjs`), `${head}${tests.join('\n')}\n`);
  }
  const json = (path, value) => writeFileSync(join(cwd, path), JSON.stringify(value));
  json('package.json', { private: true, type: 'module', scripts: { test: 'node --test test/' } });
  json('.loopwright/config.json', { workers: { Coder: { agent: 'scripted', permissions: 'edits' } } });
  writeFileSync(join(cwd, '.gitignore'), '.loopwright/\n');
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'Bench'],
    ['config', 'user.email', 'bench@example.org'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'start'],
  ])
    spawnSync('git', args, { cwd, env });
}
