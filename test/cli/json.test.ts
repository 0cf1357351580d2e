import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { type DocumentName, documents } from '../../src/api/documents.ts';
import { eventShape } from '../../src/api/events.ts';
import { jsonLines, loopwright, ROOT, tempFolder, write } from './support.ts';
import { flow, repository } from './workspace-support.ts';

const shipped = JSON.parse(readFileSync(join(ROOT, 'schema/output.schema.json'), 'utf8')) as object;
const ajv = new Ajv({ strict: false });
ajv.addSchema(shipped, 'output');

/** Both the schema that is shipped and the shape it was made from; the shape refuses fields nobody documented. */
function conforms(name: DocumentName, value: unknown): void {
  const check = ajv.getSchema(`output#/definitions/${encodeURIComponent(name)}`);
  expect([name, check?.(value), check?.errors ?? null]).toEqual([name, true, null]);
  expect([name, documents[name].safeParse(value).error?.message]).toEqual([name, undefined]);
}

async function document(
  name: DocumentName,
  cwd: string,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await loopwright([...name.split(' '), ...args, '--json'], { cwd });
  expect([name, stderr]).toEqual([name, '']);
  const value = JSON.parse(stdout) as Record<string, unknown>;
  conforms(name, value);
  return value;
}

/** A run to its end: its events and its result conform. */
async function run(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await loopwright(['run', 'change it', '-w', 'w.json', ...args, '--json'], { cwd });
  const lines = jsonLines(stdout);
  const result = lines.at(-1);
  conforms('run', result);
  for (const event of lines.slice(0, -1))
    expect([event['type'], eventShape.safeParse(event).error?.message]).toEqual([event['type'], undefined]);
  return String(result?.['session']);
}

it('what the commands about sessions and their files print conforms to the shipped schema', async () => {
  const cwd = repository();
  const id = await run(cwd);
  await document('sessions', cwd);
  await document('ps', cwd);
  await document('ps --needs-you', cwd);
  await document('show', cwd, id);
  await document('show', cwd, id, '--payload');
  await document('show --log', cwd, id);
  await document('diff', cwd, id);
  await document('timeline', cwd, id);
  await document('conflicts', cwd);
  await document('worktrees', cwd);
  await document('worktrees gc', cwd, '--dry-run');
  const fork = await document('fork', cwd, id, '--at', '1', '--no-run');
  await document('hold', cwd, String(fork['session']));
  await document('rewind', cwd, id, '--to', '1');
  await document('keep', cwd, id);
  await document('accept', cwd, id, '--unproven');
  await document('undo', cwd, id);
  await document('undo', cwd, id);
  await document('sessions', cwd);
  await document('discard', cwd, String(fork['session']), '--yes');
  await document('clean', cwd, '--dry-run');
  await document('clean', cwd, '--yes');
});

it('a session that halted says what it needs, in the same form everywhere', async () => {
  const cwd = repository({ 'w.json': flow(['write', 'b.txt', 'half\n'], ['fail']) });
  const id = await run(cwd);
  const { items } = await document('ps --needs-you', cwd);
  expect(items).toMatchObject([
    {
      kind: 'halted',
      session: id,
      actions: [{ id: 'session.retry', command: expect.stringContaining(id) }, {}, {}],
    },
  ]);
  await document('show', cwd, id);
  await document('abort', cwd, id, '--reason', 'enough');
});

it('what the commands about the backlog print conforms to the shipped schema', async () => {
  const cwd = repository();
  const { id } = await document('task add', cwd, 'Write it', '--allow', 'src/**', '--budget', 'usd=2');
  write(cwd, { 'TODO.md': '- [ ] Test it\n' });
  await document('task import', cwd, 'TODO.md');
  await document('task list', cwd);
  await document('task show', cwd, String(id));
  await document('board', cwd);
  await document('runtimes', cwd);
  await document('task rm', cwd, String(id));
});

it('what the commands about workflows, agents and settings print conforms to the shipped schema', async () => {
  const cwd = tempFolder();
  write(cwd, {
    'package.json': { scripts: { test: 'node --test' } },
    'stubs.json': { start: 'Main', blocks: { Main__Work: [{ signal: 'SIGNAL:SUCCESS' }] } },
    'w.json': { Main: { entry_block: 'Work', blocks: { Work: { worker: 'Coder', transitions: [] } } } },
  });
  await document('init', cwd, '--yes');
  await document('config', cwd);
  await document('agents', cwd);
  await document('doctor', cwd);
  await document('validate', cwd, 'w.json');
  await document('validate', cwd, 'test-fix');
  await document('simulate', cwd, 'w.json', '--stubs', 'stubs.json');
});

it('an error is a document with a kind, a message and an action', async () => {
  const cwd = tempFolder();
  const { code, stdout } = await loopwright(['resume', 'nosuchsession', '--json'], { cwd });
  expect(code).toBe(1);
  const result = JSON.parse(stdout) as Record<string, unknown>;
  conforms('run', result);
  expect(result['error']).toMatchObject({ kind: 'not-found', next: { id: 'session.list' } });
  const shown = await loopwright(['show', 'nosuchsession', '--json'], { cwd });
  const problem = JSON.parse(shown.stdout) as Record<string, unknown>;
  conforms('error', problem);
  expect([shown.code, problem]).toMatchObject([
    1,
    {
      apiVersion: 1,
      error: { kind: 'not-found', next: { id: 'session.list', command: expect.any(String) } },
    },
  ]);
  expect(shown.stderr).toContain('There is no session or task "nosuchsession"');
});

it.each([
  ['work', ['work', '--once'], 'REPO_URL is not set'],
  ['research', ['research'], 'There is no question.'],
  ['run', ['run', ' '], 'There is no goal.'],
] as const)(
  '%s that could not start anything ends with a result line all the same',
  async (name, args, why) => {
    const place = { cwd: repository(), env: { REPO_MODE: 'github' } };
    const { code, stdout } = await loopwright([...args, '--json'], place);
    const lines = jsonLines(stdout);
    expect([code, lines.length]).toEqual([1, 1]);
    conforms(name, lines[0]);
    expect(lines[0]).toMatchObject({ type: 'result', exitCode: 1, error: { kind: 'invalid' } });
    expect(JSON.stringify(lines[0])).toContain(why);
  },
);
