import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeLine } from '../../src/orchestrator/state/files/line.ts';
import type { ClaimedRecord } from '../../src/orchestrator/state/record.ts';
import { loopwright, tempFolder, write } from './support.ts';

async function refused(args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await loopwright(args, { cwd });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: [^]*\nnext: /);
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return stderr;
}

test('a missing manifest is named, with the shipped one that was perhaps meant', async () => {
  const cwd = tempFolder();
  expect(await refused(['validate', 'nope.json'], cwd)).toContain(join(cwd, 'nope.json'));
  expect(await refused(['graph', 'test-fx'], cwd)).toContain('"test-fix"');
});

test('an agent that does not exist is the fault of whoever named it, not of the manifest', async () => {
  const said = await refused(['run', 'x', '--agent', 'scriptd'], tempFolder());
  expect(said).toMatch(/^error: There is no agent "scriptd"\. Did you mean "scripted"\?/);
  expect(said).not.toContain('manifest');
});

test('bad JSON is refused with line and column', async () => {
  const cwd = tempFolder();
  write(cwd, { 'w.json': '{\n  "A": [1,,2]\n}\n' });
  for (const command of [['graph'], ['run', 'go', '-w']]) {
    expect(await refused([...command, 'w.json'], cwd)).toContain('w.json:2:11:');
  }
  // For `validate` it is a problem like any other.
  const { code, stdout } = await loopwright(['validate', 'w.json'], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^error w\.json:2:11: /)]);
});

test('a wrong shape and an unknown worker are both named in one pass', async () => {
  const cwd = tempFolder();
  const block = {
    worker: 'Internal:TestRuner',
    transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'FLY:x' }],
  };
  write(cwd, { 'w.json': { A: { entry_block: 'B', blocks: { B: block } } } });
  const said = await refused(['run', 'go', '-w', 'w.json'], cwd);
  expect(said).toContain('Did you mean "Internal:TestRunner"?');
  expect(said).toContain('"FLY:x" is not an action');
  const { code, stdout } = await loopwright(['validate', 'w.json', '--json'], { cwd });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    valid: false,
    problems: [{ block: 'B' }, { block: 'B', index: 0 }],
  });
});

test('a signal without a transition fails the session, names block and signal, and can be retried', async () => {
  const cwd = tempFolder();
  const block = {
    worker: 'Internal:Command',
    with: { argv: ['node', '-e', 'process.exit(1)'] },
    transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }],
  };
  write(cwd, { 'w.json': { A: { entry_block: 'B', blocks: { B: block } } } });
  const { code, stdout, stderr } = await loopwright(['run', 'go', '-w', 'w.json'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/error: Block A__B emitted SIGNAL:FAILURE.*\nnext: Add a transition/);
  expect(stdout).toMatch(/failed.* at A__B/);
});

test('unknown commands and options get a suggestion', async () => {
  const cwd = tempFolder();
  expect(await refused(['sesions'], cwd)).toContain('Did you mean sessions?');
  expect(await refused(['run', 'go', '--workflw', 'x'], cwd)).toContain('Did you mean --workflow?');
});

test('a session folder that cannot be written is refused before anything starts', async () => {
  const cwd = tempFolder();
  const block = { worker: 'Internal:Command', with: { argv: ['node', '-e', '0'] }, transitions: [] };
  write(cwd, {
    'w.json': { A: { entry_block: 'B', blocks: { B: block } } },
    '.loopwright/sessions': 'a file',
  });
  expect(await refused(['run', 'go', '-w', 'w.json'], cwd)).toContain('.loopwright/sessions');
});

test('a session of a newer format is left alone, and does not hide the others', async () => {
  const cwd = tempFolder();
  const block = { worker: 'Internal:Command', with: { argv: ['node', '-e', '0'] }, transitions: [] };
  write(cwd, { 'w.json': { A: { entry_block: 'B', blocks: { B: block } } } });
  for (const goal of ['older', 'newer']) await loopwright(['run', goal, '-w', 'w.json'], { cwd });
  const [newer] = JSON.parse((await loopwright(['sessions', '--json'], { cwd })).stdout).sessions as {
    id: string;
  }[];
  const journal = join(cwd, '.loopwright/sessions', newer?.id ?? '', 'journal.1.jsonl');
  const [first = '', ...rest] = readFileSync(journal, 'utf8').split('\n');
  const { crc: _old, ...claimed } = JSON.parse(first) as ClaimedRecord & { crc: string };
  const changed = [encodeLine({ ...claimed, format: 2 }).trimEnd(), ...rest].join('\n');
  writeFileSync(journal, changed);
  const small = join(cwd, '.loopwright/sessions', newer?.id ?? '', 'session.json');
  writeFileSync(small, readFileSync(small, 'utf8').replace('"format": 1', '"format": 2'));
  expect(await refused(['show', newer?.id ?? ''], cwd)).toMatch(
    /newer loopwright \(format 2.*\nnext: Update loopwright/,
  );
  expect(await refused(['resume', newer?.id ?? ''], cwd)).toContain('newer loopwright');
  expect(readFileSync(journal, 'utf8')).toBe(changed);
  const list = await loopwright(['sessions'], { cwd });
  expect(list.stdout).toMatch(/unreadable[^]*no change .* older/);
});

test('simulate names the block and visit that has no answer, and a block it does not know', async () => {
  const cwd = tempFolder();
  const ok = { signal: 'SIGNAL:SUCCESS' };
  write(cwd, {
    'short.json': { start: 'Feature_Implement', blocks: { Feature_Implement__GenerateCode: [ok] } },
    'typo.json': { blocks: { Feature_Implement__GenerateCod: [ok] } },
  });
  const short = await refused(['simulate', 'test-fix', '--stubs', 'short.json'], cwd);
  expect(short).toContain('no answer for visit 1 of Core_Validate__ValidateOutput');
  const typo = await refused(['simulate', 'test-fix', '--stubs', 'typo.json'], cwd);
  expect(typo).toContain('Did you mean "Feature_Implement__GenerateCode"?');
});

test('validate --json reports text that is no JSON as a problem', async () => {
  const cwd = tempFolder();
  write(cwd, { 'w.json': '{\n  "Main": {,}\n}' });
  const { code, stdout, stderr } = await loopwright(['validate', 'w.json', '--json'], { cwd });
  expect([code, stderr]).toEqual([1, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    valid: false,
    problems: [{ severity: 'error', file: 'w.json', line: 2, column: 12, message: expect.any(String) }],
  });
});

test('simulate refuses keys that it does not know and names answers that were not used', async () => {
  const cwd = tempFolder();
  const block = { worker: 'W', transitions: [] };
  const blocks = { Main__A: [{ signal: 'SIGNAL:SUCCESS' }, { signal: 'SIGNAL:SUCCESS' }] };
  write(cwd, {
    'w.json': { Main: { entry_block: 'A', blocks: { A: block } } },
    'top.json': { blocks, expects: {} },
    'expect.json': { blocks, expect: { pth: ['Main__A'] } },
    'answer.json': { blocks: { Main__A: [{ signal: 'SIGNAL:SUCCESS', segment: [] }] } },
    'unused.json': { blocks, expect: { status: 'completed' } },
  });
  const stubbed = (name: string) => ['simulate', 'w.json', '--stubs', name];
  expect(await refused(stubbed('top.json'), cwd)).toContain(
    '"expects" is not known here. Did you mean "expect"?',
  );
  expect(await refused(stubbed('expect.json'), cwd)).toContain(
    'expect."pth" is not known here. Did you mean "path"?',
  );
  expect(await refused(stubbed('answer.json'), cwd)).toContain('"Main__A"[0]."segment" is not known here.');
  const { code, stdout } = await loopwright(stubbed('unused.json'), { cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining('! Main__A: 1 of 2 answers not used')]);
});

test('simulate exits 1 with the difference when the run is not as expected', async () => {
  const cwd = tempFolder();
  const ok = { signal: 'SIGNAL:SUCCESS' };
  write(cwd, {
    's.json': {
      start: 'Feature_Implement',
      blocks: {
        Feature_Implement__GenerateCode: [ok],
        Core_Validate__ValidateOutput: [ok],
        Core_IO__WriteArtifacts: [ok],
        Core_Validate__RunTests: [ok],
        Core_Validate__InspectTests: [ok],
        Feature_Implement__GenerateDocs: [ok],
        Feature_Implement__CheckDocs: [{ signal: 'SIGNAL:NO_CHANGE' }],
      },
      expect: { status: 'halted', path: ['Feature_Implement__GenerateCode', 'Core_Validate__RunTests'] },
    },
  });
  const { code, stdout } = await loopwright(['simulate', 'test-fix', '--stubs', 's.json'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('status: expected halted, got completed');
  expect(stdout).toMatch(/✗ +2 +Core_Validate__RunTests +Core_Validate__ValidateOutput/);
});
