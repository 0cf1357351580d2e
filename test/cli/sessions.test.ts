import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { encodeLine } from '../../src/orchestrator/state/files/line.ts';
import { loopwright, paste, tempFolder, wholeId, write } from './support.ts';

const flow = (argv: readonly string[], onFailure: string) => ({
  Main: {
    entry_block: 'Work',
    blocks: {
      Work: {
        worker: 'Internal:Command',
        with: { argv },
        transitions: [
          { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
          { on_signal: 'SIGNAL:FAILURE', action: onFailure },
        ],
      },
    },
  },
});

describe('with one completed and one halted session', () => {
  let cwd = '';
  let completed = '';
  let halted = '';
  beforeEach(async () => {
    cwd = tempFolder();
    write(cwd, {
      'good.json': flow(['node', '-e', 'console.log("all is well")'], 'HALT_AND_FLAG'),
      'bad.json': flow(['node', '-e', 'console.log("E-123"); process.exit(1)'], 'HALT_AND_FLAG'),
    });
    completed = await run('good.json', 0);
    halted = await run('bad.json', 2);
  });

  async function run(workflow: string, exitCode: number): Promise<string> {
    const { code, stdout } = await loopwright(['run', `try ${workflow}`, '-w', workflow], { cwd });
    expect(code).toBe(exitCode);
    return wholeId(/session (\w{6})/.exec(stdout)?.[1]);
  }

  test('sessions lists them, newest first, and names the next command', async () => {
    const { stdout } = await loopwright(['sessions'], { cwd });
    const [, first, second] = stdout.split('\n');
    expect(first).toMatch(new RegExp(`^${shortId(halted)} +halted +1 .* Main__Work +try bad.json$`));
    expect(second).toMatch(new RegExp(`^${shortId(completed)} +no change +1 `));
    expect(stdout).toMatch(new RegExp(`next: .* show ${shortId(halted)}`));
  });

  test('show tells status, way, reason and what to do; --log has the full output', async () => {
    const { stdout } = await loopwright(['show', halted.slice(-5)], { cwd });
    expect(stdout).toContain('Main__Work asked for a person on SIGNAL:FAILURE');
    expect(stdout).toMatch(/1 +Main__Work +1 +FAILURE .* halt for a person/);
    expect(stdout).toMatch(/used +1 of 1000 steps/);
    expect(stdout).toContain(`retry ${shortId(halted)} --guidance`);
    const log = await loopwright(['show', halted, '--step', '1', '--log'], { cwd });
    expect(log.stdout).toContain('E-123');
    const none = await loopwright(['show', halted, '--step', '7'], { cwd });
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('It has steps 1 to 1.')]);
  });

  test('show --log prints a log of any size, as text and as JSON', async () => {
    const log = join(cwd, '.loopwright/sessions', halted, 'logs', '0001-output.log');
    writeFileSync(log, 'a\u001b[31mred\u001b[0m "quoted" ü\nno end of line');
    const json = JSON.parse(
      (await loopwright(['show', halted, '--log', '--json'], { cwd })).stdout,
    ) as unknown;
    expect(json).toEqual({ apiVersion: 1, logs: [{ file: log, text: readFileSync(log, 'utf8') }] });
    const text = await loopwright(['show', halted, '--log'], { cwd });
    expect(text.stdout).toContain(`${log}\nared "quoted" ü\nno end of line\n\nnext: `);
    // Larger than the longest text that the language has.
    truncateSync(log, 540 * 1024 * 1024);
    appendFileSync(log, '\nthe very end\n');
    const large = await loopwright(['show', halted, '--log'], { cwd });
    expect([large.code, large.stderr]).toEqual([0, '']);
    expect(large.stdout).toMatch(/no end of line(?:\\u0000\{\d+\})+\nthe very end\n\nnext: /);
  });

  test('an id that is unknown, too short or no id at all is refused; without one the newest is shown', async () => {
    const newest = await loopwright(['show'], { cwd });
    expect(newest).toMatchObject({
      code: 0,
      stderr: `session ${shortId(halted)}, halted: try bad.json (the newest of 2)\n`,
    });
    expect(newest.stdout).toContain(`session   ${shortId(halted)}\n`);
    const typo = `${completed.slice(0, -1)}${completed.endsWith('0') ? '1' : '0'}`;
    expect((await loopwright(['show', typo], { cwd })).stderr).toContain(
      `Did you mean "${shortId(completed)}"?`,
    );
    expect((await loopwright(['show', completed.slice(0, 3)], { cwd })).stderr).toContain('too short');
    const trick = await loopwright(['show', '../../../etc/passwd'], { cwd });
    expect([trick.code, trick.stderr]).toEqual([1, expect.stringContaining('is not a session id')]);
  });

  test('abort ends a halted session for good', async () => {
    const asked = await loopwright(['resume', halted, '--answer', 'yes'], { cwd });
    expect([asked.code, asked.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: .*has not asked anything.*\nnext: .*\n$/),
    ]);
    const elsewhere = tempFolder();
    const named = await loopwright(['resume', halted, '--answer', 'yes', '--dir', cwd], { cwd: elsewhere });
    const command = wholeId(/^next: [^:]*: (.*)$/m.exec(named.stderr)?.[1]);
    expect((await paste(command, { cwd: elsewhere })).stdout).toContain('try bad.json');
    expect((await loopwright(['abort', halted, '--guidance', 'look at E-123'], { cwd })).code).toBe(0);
    const { stdout } = await loopwright(['show', halted, '--payload', '--json'], { cwd });
    const { payload } = JSON.parse(stdout) as { payload: readonly object[] };
    expect(payload.at(-1)).toMatchObject({ type: 'HUMAN_GUIDANCE', content: 'look at E-123' });
    const again = await loopwright(['resume', halted], { cwd });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is aborted')]);
    expect((await loopwright(['abort', halted], { cwd })).stderr).toContain('is aborted already');
  });

  test('clean deletes what has ended, asks first, and keeps what can be continued', async () => {
    const refused = await loopwright(['clean'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--yes')]);
    const dry = await loopwright(['clean', '--dry-run'], { cwd });
    expect(dry.stdout).toMatch(
      new RegExp(`${shortId(completed)} +no change .* (k?B)\n1 session to delete, .*\n1 session kept`),
    );
    expect((await loopwright(['clean', '--yes', '--older-than', '7d'], { cwd })).stdout).toContain(
      '0 sessions',
    );
    expect(readdirSync(join(cwd, '.loopwright/sessions'))).toHaveLength(2);
    expect((await loopwright(['clean', '--yes'], { cwd })).code).toBe(0);
    expect(readdirSync(join(cwd, '.loopwright/sessions'))).toEqual([halted]);
    const kept = await loopwright(['clean', halted, '--yes'], { cwd });
    expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining('could still be continued')]);
    expect((await loopwright(['clean', halted, '--yes', '--force'], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, '.loopwright/sessions', halted))).toBe(false);
  });
});

test('a folder of a session that died before its first record is debris that clean removes', async () => {
  const cwd = tempFolder();
  const root = join(cwd, '.loopwright/sessions');
  const folders = ['01JAAAAAAAAAAAAAAAAAAAAAA1', '01JAAAAAAAAAAAAAAAAAAAAAA2', '01JAAAAAAAAAAAAAAAAAAAAAA3'];
  const [empty = '', claimed = '', starting = ''] = folders;
  const owner = { pid: 1, startTime: 'long ago', host: 'elsewhere' };
  write(cwd, {
    [`.loopwright/sessions/${empty}/manifest.json`]: {},
    [`.loopwright/sessions/${claimed}/journal.1.jsonl`]: encodeLine({
      t: 'claimed',
      format: 1,
      epoch: 1,
      owner,
      at: 0,
    }),
    [`.loopwright/sessions/${starting}/manifest.json`]: {},
  });
  const anHourAgo = Date.now() / 1000 - 3600;
  for (const id of [empty, claimed]) utimesSync(join(root, id), anHourAgo, anHourAgo);
  const listed = await loopwright(['sessions'], { cwd });
  expect(listed.stdout).toMatch(new RegExp(`${shortId(empty)} +never started\n`));
  expect(listed.stdout).toMatch(/next: .* clean\n/);
  const cleaned = await loopwright(['clean', '--yes'], { cwd });
  expect(cleaned.stdout).toMatch(new RegExp(`${shortId(empty)} +never started +1h ago`));
  expect(readdirSync(root)).toEqual([starting]);
  expect((await loopwright(['clean', starting, '--yes'], { cwd })).code).toBe(0);
  expect(readdirSync(root)).toEqual([]);
});
