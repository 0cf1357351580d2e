import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { loopwright, type Place } from '../cli/support.ts';
import { open, picturePath, serve } from './lab.ts';
import { project, RIGHT, ran } from './projects.ts';

const OTHER = RIGHT.replace('a + b', 'b + a');
const use = (usd: number) => ({ usage: { input: 90, output: 10, usd } });
/** Corrects the sum; asked in other words it does it otherwise, wastes money or gives up. */
const SCRIPT = {
  turns: [
    {
      when: 'the other way round',
      steps: [
        use(0.02),
        { write: { path: 'src/sum.mjs', content: OTHER } },
        { say: 'I turned the sum round.' },
      ],
    },
    { when: 'spend it all', steps: [use(0.2), use(0.2), { hang: true }] },
    { when: 'give up', steps: [{ fail: { exitCode: 3, message: 'This is beyond me.' } }] },
    {
      when: '',
      steps: [use(0.01), { write: { path: 'src/sum.mjs', content: RIGHT } }, { say: 'I corrected the sum.' }],
    },
  ],
};

function filesIn(folder: string): readonly (readonly string[])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.git')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [file, readFileSync(file, 'base64')]);
}

/** Everything that belongs to a session: its records, its files and its refs. */
function pictureOf({ cwd }: Place, id: string): unknown {
  return [
    filesIn(join(cwd, '.loopwright/sessions', id)),
    filesIn(join(cwd, '.loopwright/worktrees', id)),
    execFileSync('git', ['for-each-ref'], { cwd, encoding: 'utf8' }),
  ];
}

async function rerun(page: Page, words: string, { may = 'read', cap = '0.50' } = {}): Promise<void> {
  await page.locator('textarea[name=prompt]').fill(words);
  await page.getByLabel('It may').selectOption(may);
  await page.getByLabel('May cost up to, in USD').fill(cap);
  await page.getByRole('button', { name: 'Re-run & compare' }).click();
}

const experiment = (page: Page) => page.getByRole('region', { name: 'Experiment', exact: true });

describe('calls', () => {
  it('scenario 28: a call is run again in other words and compared, and its session does not change', async () => {
    const place = project(SCRIPT);
    const id = await ran(place);
    const before = pictureOf(place, id);
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard, '/calls');
    await page.getByRole('link', { name: 'Call of step 1' }).click();
    await page.getByText('I corrected the sum.').first().waitFor();
    await rerun(page, 'Do it the other way round.', { may: 'edits' });
    await experiment(page).getByText('completed').waitFor();
    await experiment(page).getByText('I turned the sum round.').waitFor();
    const file = page.getByRole('region', { name: 'src/sum.mjs' });
    await file.getByText('a + b').first().waitFor();
    await file.getByText('b + a').first().waitFor();
    await page.screenshot({ path: picturePath('calls-compare'), fullPage: true });
    expect(pictureOf(place, id)).toEqual(before);
    expect(complaints).toEqual([]);
  });

  it('scenario 28: the price cap holds, and a failed experiment has a page', async () => {
    const place = project(SCRIPT);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/sessions/${id}/calls`);
    await rerun(page, 'Please spend it all.', { cap: '0.30' });
    await experiment(page).getByText('It was ended because it had used what it may cost.').waitFor();
    await rerun(page, 'Please give up.');
    await experiment(page).getByRole('alert').getByText('This is beyond me.').waitFor();
    await experiment(page).getByText('exit code 3').waitFor();
    await page.getByRole('button', { name: 'Experiment 1' }).click();
    await experiment(page).getByText('capped').waitFor();
    await experiment(page).getByRole('button', { name: 'Delete the experiment' }).click();
    await experiment(page).waitFor({ state: 'detached' });
    expect(readdirSync(join(place.cwd, '.loopwright/calls'))).toHaveLength(1);
  });

  it('scenario 28: an experiment can be stopped, and its words used in a fork before the step', async () => {
    const place = project(SCRIPT);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/sessions/${id}/calls`);
    await rerun(page, 'Please spend it all.', { cap: '9' });
    await experiment(page).getByText('running').waitFor();
    await experiment(page).getByRole('button', { name: 'Stop it' }).click();
    await experiment(page).getByText('stopped').first().waitFor();
    await rerun(page, 'Do it the other way round.', { may: 'edits' });
    await experiment(page).getByText('completed').waitFor();
    await experiment(page).getByRole('button', { name: 'Use this…' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Do it the other way round.');
    await dialog.getByRole('button', { name: /^Fork before/ }).click();
    await page.getByRole('heading', { name: 'Compare' }).waitFor();
    const { stdout } = await loopwright(['sessions', '--json'], place);
    expect(JSON.parse(stdout).sessions).toHaveLength(2);
  });
});
