import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as pipelines from '../cli/pipeline-support.ts';
import { appears, jsonLines, loopwright, start, tempFolder, write } from '../cli/support.ts';
import { commitAll, flow, git, repository, runToEnd } from '../cli/workspace-support.ts';
import { go, open, serve } from './lab.ts';
import { CORRECTS, project, ran } from './projects.ts';

describe('scenario 14: another start of the server', () => {
  it('a page that stayed open is reset once another one has the new key, and shows what is so', async () => {
    const place = project(CORRECTS);
    const dashboard = await serve(place);
    const { page, context } = await open(dashboard, '/sessions');
    await page.getByText('No session so far.').waitFor();
    await dashboard.kill();
    await page.getByText(/not live since/).waitFor();
    await ran(place);
    const again = await serve(place, '--port', String(dashboard.port));
    const other = await context.newPage();
    await other.goto(again.url());
    await other.locator('.frame').waitFor();
    await page.getByRole('link', { name: 'make sum add its numbers' }).waitFor();
    await page.getByText(/not live since/).waitFor({ state: 'detached' });
    // And it is told of what happens from now on.
    await ran(place, 'another goal');
    await page.getByRole('link', { name: 'another goal' }).waitFor();
    expect(await page.getByRole('link', { name: 'make sum add its numbers' }).count()).toBe(1);
  });
});

describe('scenario 20: a closed gate', () => {
  it('names the files it passed on and those that are there; run again, it opens', async () => {
    const gated = { ...flow(['write', 'a.txt', 'one\n'], ['check'], ['write', 'b.txt', 'two\n']) };
    const cwd = repository({ 'w.json': { gates: ['Main__S2'], ...gated } });
    const { id } = await runToEnd(cwd, { code: 2, args: ['--no-baseline'] });
    const dashboard = await serve({ cwd });
    const { page } = await open(dashboard, `/sessions/${id}`);
    const why = page.getByRole('region', { name: 'Why it stands still' });
    await why.getByRole('heading', { name: 'A gate is closed · S2' }).waitFor();
    const told = await why.innerText();
    expect(told).toContain('passed before the files changed again');
    const [, then = '', now = ''] = /on (\w{12}), and they are (\w{12}) now/.exec(told) ?? [];
    expect([then, now].every((tree) => tree !== '') && then !== now).toBe(true);
    await page.getByRole('button', { name: 'Run the gate again' }).click();
    await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
    await go(page, `/sessions/${id}/evidence`);
    await page.getByText(`SUCCESS on tree ${now}`).waitFor();
  });
});

describe('scenario 21: two sessions that mean to change the same file', () => {
  it('the clash is seen before the start; the second one waits in line and starts by itself', async () => {
    const control = tempFolder();
    const cwd = repository({
      'slow.json': flow(['wait', control, 'first'], ['write', 'a.txt', 'first\n']),
      'quick.json': flow(['write', 'b.txt', 'second\n']),
    });
    const first = start(['run', 'first', '-w', 'slow.json', '--plan', 'a.txt', '--no-baseline'], { cwd });
    await appears(control, 'first.started');
    const [id = ''] = readdirSync(join(cwd, '.loopwright/sessions'));
    const dashboard = await serve({ cwd });
    const { page } = await open(dashboard, '/sessions');
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByLabel('Goal', { exact: true }).fill('second');
    await page.getByLabel('Workflow').fill('quick.json');
    await page.getByLabel(/^Files it means to change/).fill('a.txt\nb.txt');
    const paths = page.getByRole('list', { name: 'Who else means to change them' }).getByRole('listitem');
    await paths.filter({ hasText: `with session ${id.slice(-6)} on a.txt` }).waitFor();
    await paths.filter({ hasText: /clear.*b\.txt/ }).waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('header .status', { hasText: 'waiting' }).waitFor();
    await page
      .getByRole('region', { name: 'Why it stands still' })
      .getByText(`a.txt is planned by session ${id}`)
      .waitFor();
    const second = page.url();
    writeFileSync(join(control, 'first.go'), '');
    expect((await first.ended).code).toBe(0);
    await go(page, `/sessions/${id}`);
    await page.getByRole('button', { name: /^Accept/ }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('first\n');
    await go(page, new URL(second).pathname);
    await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
  });
});

describe('scenario 23: the way to the files', () => {
  it('the copied command goes to the folder, whatever its name needs', async () => {
    const cwd = join(tempFolder(), "a folder of Ann's");
    mkdirSync(cwd);
    git(cwd, 'clone', '-q', repository(), '.');
    const { id, worktree } = await runToEnd(cwd, { args: ['--no-baseline'] });
    const dashboard = await serve({ cwd });
    const { page } = await open(dashboard, `/sessions/${id}`);
    const goesTo = async () => {
      const command = (await page.evaluate('navigator.clipboard.readText()')) as string;
      expect(command).toMatch(/^cd /);
      return execFileSync('sh', ['-c', `${command} && pwd -P`], { cwd: '/', encoding: 'utf8' }).trimEnd();
    };
    await page.getByRole('button', { name: 'Copy the command that goes there' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await goesTo()).toBe(worktree);
    await page.evaluate("navigator.clipboard.writeText('')");
    await go(page, '/worktrees');
    await page.getByRole('button', { name: /^Copy the command that goes to/ }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await goesTo()).toBe(worktree);
  });
});

describe('scenario 32: a pipeline of three', () => {
  it('one is framed and answered, one is completed, one is stopped, each in its own pane', async () => {
    const { headless, stages } = pipelines;
    const place = pipelines.project(
      stages([
        headless('port', 'choose it'),
        { id: 'chat', adapter: 'scripted', prompt: 'talk' },
        headless('lost', 'hang'),
      ]),
      pipelines.ANSWERED_ELSEWHERE,
    );
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard, '/pipelines');
    const running = start(['pipeline', 'p.json', 'a server'], place);
    await page.getByRole('link', { name: 'a server' }).click();
    const pane = (task: string) => page.getByRole('region', { name: task, exact: true });
    await page.locator('.pane.asks').getByText('Which port?').waitFor();
    expect(await page.locator('.pane').count()).toBe(3);
    expect(await page.locator('.pane.asks').count()).toBe(1);
    await pane('port').getByRole('button', { name: '8080', exact: true }).click();
    await pane('port').getByText('took 8080').waitFor();
    await pane('port').getByRole('button', { name: '80', exact: true }).click();
    await pane('port').locator('.status.done', { hasText: 'done' }).waitFor();
    expect(await pane('port').getByText('Which port?').count()).toBe(0);
    // A program without a terminal is done when it ends, and not before.
    expect(await page.getByRole('button', { name: 'Complete lost' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Complete chat' }).click();
    await pane('chat').locator('.status.done', { hasText: 'done' }).waitFor();
    await page.getByRole('button', { name: 'Stop lost' }).click();
    await page.locator('header .status', { hasText: 'halted' }).waitFor();
    expect((await running.ended).code).toBe(2);
    // What was stopped is not called done by anybody.
    await pane('lost').locator('.status', { hasText: 'ended' }).waitFor();
    expect(await pane('lost').locator('.status.done').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('scenario 37: worktrees that nobody needs', () => {
  it('what would go is shown first, and only then removed; what would be lost stays', async () => {
    const cwd = repository();
    const merged = await runToEnd(cwd, { args: ['--no-baseline'] });
    await loopwright(['keep', merged.id], { cwd });
    git(cwd, 'merge', '-q', `loopwright/${merged.id}`);
    write(cwd, { 'w.json': flow(['write', 'c.txt', 'three\n']) });
    commitAll(cwd, 'another');
    const needed = await runToEnd(cwd, { args: ['--no-baseline'] });
    const dashboard = await serve({ cwd });
    const { page } = await open(dashboard, '/worktrees');
    await page.getByRole('heading', { name: 'Worktrees · 2' }).waitFor();
    await page.getByRole('button', { name: 'What could go?' }).click();
    const rows = page.getByRole('list', { name: 'What can go and what stays' }).getByRole('listitem');
    await rows.filter({ hasText: `would goworktree ${merged.id}` }).waitFor();
    await rows.filter({ hasText: `staysworktree ${needed.id}` }).waitFor();
    expect(existsSync(merged.worktree)).toBe(true);
    await page.getByRole('button', { name: 'Remove it' }).click();
    await rows.filter({ hasText: `removedworktree ${merged.id}` }).waitFor();
    await page.getByRole('heading', { name: 'Worktrees · 1' }).waitFor();
    expect([existsSync(merged.worktree), existsSync(needed.worktree)]).toEqual([false, true]);
  });
});

describe('scenario 38: an agent that is not there', () => {
  it('is named with how to get it, and the project that needs it is said to lack it', async () => {
    const bin = tempFolder();
    const found = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    symlinkSync(found, join(bin, 'git'));
    symlinkSync(process.execPath, join(bin, 'node'));
    const place = project(CORRECTS, { workers: { Coder: { agent: 'claude' } } });
    const { LLM_EXECUTOR: _agent, ...env } = place.env ?? {};
    const dashboard = await serve({ ...place, env: { ...env, PATH: `${bin}:/bin`, HOME: bin } });
    const { page } = await open(dashboard, '/agents');
    const row = page.getByRole('row').filter({ hasText: 'claude' });
    await row.getByText(/not found|not installed/).waitFor();
    await page
      .getByRole('listitem')
      .filter({ has: page.locator('.status.failed', { hasText: 'wrong' }) })
      .getByText(/claude/i)
      .first()
      .waitFor();
  });
});

const usage = (usd: number) => ({ usage: { input: 900, output: 100, usd } });

describe('scenario 39: costs', () => {
  it('are the sum of what the journals say', async () => {
    const place = project({ steps: [usage(0.25), ...(CORRECTS as { steps: object[] }).steps] });
    await ran(place);
    write(place.cwd, {
      '.loopwright/script.json': { steps: [usage(0.5), ...(CORRECTS as { steps: object[] }).steps] },
    });
    await ran(place, 'another goal');
    const folder = join(place.cwd, '.loopwright/sessions');
    const records = readdirSync(folder).flatMap((id) =>
      readdirSync(join(folder, id))
        .filter((name) => name.startsWith('journal'))
        .flatMap((name) => jsonLines(readFileSync(join(folder, id, name), 'utf8'))),
    );
    const spent = (unit: 'usd' | 'tokens') =>
      records.reduce((sum, { t, [unit]: used }) => sum + (t === 'usage' ? Number(used ?? 0) : 0), 0);
    expect(spent('usd')).toBeGreaterThan(0);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, '/costs?by=session&days=1');
    await page
      .getByRole('heading', { name: `$${spent('usd').toFixed(2)} · ${spent('tokens') / 1000}k tokens` })
      .waitFor();
    const paid = await page.locator('tbody tr td:nth-child(3)').allInnerTexts();
    expect(paid.map((words) => Number(words.replace('$', ''))).reduce((a, b) => a + b)).toBe(spent('usd'));
    // Each row has a bar that can be seen.
    const bar = await page.locator('.took').first().boundingBox();
    expect(bar?.width).toBeGreaterThan(100);
    await page.getByRole('button', { name: 'by agent' }).click();
    await page.getByRole('cell', { name: 'scripted' }).waitFor();
  });
});
