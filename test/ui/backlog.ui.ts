import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appears, loopwright, type Place, start, tempFolder, write } from '../cli/support.ts';
import { flow, repository } from '../cli/workspace-support.ts';
import { go, open, serve } from './lab.ts';

const file = (path: string, content: string) => ({ write: { path, content } });

/** A repository whose agent plays this script, with a check that any task may name. */
function backlog(script: object, mode = 'local-git'): Place {
  const cwd = repository({ 'a.txt': 'one\n', 'check.mjs': '' });
  write(cwd, { '.git/script.json': script });
  return {
    cwd,
    env: {
      REPO_MODE: mode,
      LLM_EXECUTOR: 'scripted',
      LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json'),
      LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.git/locks'),
    },
  };
}

async function add(place: Place, title: string, ...more: readonly string[]): Promise<string> {
  const { stdout } = await loopwright(['task', 'add', title, '--json', ...more], place);
  return (JSON.parse(stdout) as { id: string }).id;
}

/** A session that holds `a.txt` until it is let go. */
async function holder(place: Place): Promise<() => Promise<unknown>> {
  const control = tempFolder();
  write(place.cwd, { '.git/slow.json': flow(['wait', control, 'first']) });
  const running = start(
    ['run', 'hold a.txt', '-w', '.git/slow.json', '--plan', 'a.txt', '--no-baseline'],
    place,
  );
  await appears(control, 'first.started');
  return () => {
    writeFileSync(join(control, 'first.go'), '');
    return running.ended;
  };
}

/** A runtime that the page started outlives the page: a test that fails ends it all the same. */
function endRuntimes(place: Place): void {
  onTestFinished(async () => {
    const { stdout } = await loopwright(['runtimes', '--json'], place);
    const { runtimes } = JSON.parse(stdout) as { runtimes: { dead: boolean; process: { pid: number } }[] };
    for (const { dead, process: its } of runtimes) if (!dead) process.kill(its.pid, 'SIGKILL');
  });
}

const column = (page: Page, state: string) => page.getByRole('region', { name: state, exact: true });
const inDialog = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name });

describe('scenario 29: the board', () => {
  it('a task is added with its clashes in sight, a checklist is imported, and known items are left alone', async () => {
    const place = backlog({ steps: [] });
    const release = await holder(place);
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard, '/board');
    await page.getByText('No tasks. Import a checklist or add one.').waitFor();
    await page.getByRole('button', { name: 'Task', exact: true }).click();
    await page.getByLabel('Title').fill('change a');
    await page.getByLabel(/^Files it may change/).fill('a.txt\ndocs/**');
    const preview = page.getByRole('list', { name: 'Who else means to change them' });
    await preview
      .getByRole('listitem')
      .filter({ hasText: /clash.*a\.txt.*with session \w{6} on a\.txt/ })
      .waitFor();
    await preview
      .getByRole('listitem')
      .filter({ hasText: /clear.*docs/ })
      .waitFor();
    await page.getByLabel(/^Commands that prove it/).fill('node check.mjs');
    await inDialog(page, 'Add it').click();
    await column(page, 'queued').getByRole('link', { name: 'change a' }).waitFor();
    for (const told of ['2 tasks added.', '1 task added, 2 tasks known already.']) {
      await page.getByRole('button', { name: 'Import' }).click();
      await page
        .getByLabel(/^A Markdown checklist/)
        .fill(
          `- [ ] write a page\n- [ ] write another\n${told.startsWith('2') ? '' : '- [ ] and a third\n'}`,
        );
      await inDialog(page, 'Import').click();
      await page.getByRole('status').filter({ hasText: told }).waitFor();
      await inDialog(page, 'Close').click();
    }
    await column(page, 'queued').getByRole('link', { name: 'and a third' }).waitFor();
    expect(await column(page, 'queued').getByRole('link').allInnerTexts()).toHaveLength(4);
    await release();
    expect(complaints).toEqual([]);
  });

  it('a runtime that the page starts works a task off; reworked with notes, approved', async () => {
    const place = backlog({
      turns: [
        { when: '# HUMAN_GUIDANCE', steps: [file('a.txt', 'as the person said\n'), { say: 'reworked' }] },
        { steps: [file('a.txt', 'two\n'), { say: 'ok' }] },
      ],
    });
    await add(place, 'change a', '--allow', 'a.txt', '--command', 'node check.mjs');
    endRuntimes(place);
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard, '/board');
    await page.getByRole('button', { name: 'Start a runtime' }).click();
    await column(page, 'blocked').getByText('awaits your verdict').waitFor();
    await column(page, 'blocked').getByRole('link', { name: 'change a' }).click();
    await page.getByRole('button', { name: /^Ask for another attempt/ }).click();
    await page.getByLabel('What should be done differently?').fill('as I say');
    await inDialog(page, /^Ask for another attempt/).click();
    await page.getByRole('heading', { name: 'Attempt 2' }).waitFor();
    await page.locator('.status', { hasText: 'awaits your verdict' }).waitFor();
    await page.getByText('Notes: as I say').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('header .status.done', { hasText: 'done' }).waitFor();
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('as the person said\n');
    await go(page, '/board');
    await column(page, 'done').getByText('verified', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Stop / }).click();
    await page.getByRole('list', { name: 'Runtimes' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('what nothing has proven is called unverified on the board and on its page', async () => {
    const place = backlog({ steps: [file('a.txt', 'two\n')] }, 'direct');
    const id = await add(place, 'hopes');
    await loopwright(['work', '--once'], place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, '/board');
    await column(page, 'done').getByText('unverified', { exact: true }).waitFor();
    await go(page, `/tasks/${id}`);
    await page.locator('header').getByText('unverified', { exact: true }).waitFor();
  });

  it('a task is cancelled once its id is typed, and put back in line', async () => {
    const place = backlog({ steps: [] });
    const id = await add(place, 'not now');
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/tasks/${id}`);
    await page.getByRole('button', { name: /^Cancel/ }).click();
    const sure = inDialog(page, 'Cancel').first();
    expect(await sure.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('textbox').fill(id);
    await sure.click();
    await page.locator('header .status', { hasText: 'cancelled' }).waitFor();
    await page.getByRole('button', { name: 'Put it back in line' }).click();
    await page.locator('header .status', { hasText: 'queued' }).waitFor();
    await go(page, '/board');
    await column(page, 'queued').getByRole('link', { name: 'not now' }).waitFor();
  });
});

describe('scenario 30: the path policy', () => {
  it('the page of a task names the file that was undone, the one that is denied, and the evidence', async () => {
    const discard = { path: 'config/extra.txt', decision: 'discard', reason: 'not needed' };
    const place = backlog({
      turns: [
        { when: 'violations', steps: [{ say: JSON.stringify({ decisions: [discard] }) }] },
        { when: 'Task: denied', steps: [file('secret/key.txt', 'x\n'), { say: 'ok' }] },
        { steps: [file('a.txt', 'two\n'), file('config/extra.txt', 'x\n'), { say: 'ok' }] },
      ],
    });
    const checked = ['--allow', 'a.txt', '--command', 'node check.mjs'];
    const id = await add(place, 'policy', ...checked);
    const denied = await add(place, 'denied', '--allow', '**', '--deny', 'secret/**', ...checked.slice(2));
    await loopwright(['work', '--once'], place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/tasks/${id}`);
    await page
      .getByRole('list', { name: 'Path policy' })
      .getByText(/^Undone.*config\/extra\.txt/)
      .waitFor();
    await page
      .getByText(/node check\.mjs/)
      .first()
      .waitFor();
    await go(page, `/tasks/${denied}`);
    await page.getByText('May not change: secret/**').waitFor();
    await page
      .getByText(/secret\/key\.txt/)
      .first()
      .waitFor();
  });
});

describe('scenario 31: direct mode', () => {
  it('what a task changed in place is listed on its page, and put back from there', async () => {
    const place = backlog({ steps: [file('a.txt', 'spoiled\n'), { say: 'ok' }] }, 'direct');
    // A task that is done keeps no copies.
    write(place.cwd, { 'check.mjs': 'process.exit(1);\n' });
    const id = await add(place, 'in place', '--allow', 'a.txt', '--command', 'node check.mjs');
    await loopwright(['work', '--once'], place);
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('spoiled\n');
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard, `/tasks/${id}`);
    await page.getByRole('checkbox', { name: /a\.txt.*changed/ }).waitFor();
    await page.getByRole('button', { name: 'Put 1 file back' }).click();
    await page.getByRole('status').filter({ hasText: '1 file put back: a.txt.' }).waitFor();
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('one\n');
    expect(complaints).toEqual([]);
  });
});
