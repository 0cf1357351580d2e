import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright } from '../cli/support.ts';
import { git } from '../cli/workspace-support.ts';
import { open, serve } from './lab.ts';
import { CORRECTS, NEEDS_A_HINT, project, RIGHT, ran } from './projects.ts';

describe('what became of the files', () => {
  it('scenario 22: accepted from the page, the work is on the branch, and can be undone', async () => {
    const place = project(CORRECTS);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard, `/sessions/${id}/changes`);
    await page.getByRole('region', { name: 'src/sum.mjs' }).getByText('a + b').first().waitFor();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('delivered', { exact: false }).first().waitFor();
    expect(git(place.cwd, 'show', 'main:src/sum.mjs')).toContain('a + b');
    await page
      .getByRole('button', { name: /undo|out of/i })
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it('scenario 22: discarding asks for the id, and keeps everything until it is typed', async () => {
    const place = project(CORRECTS);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/sessions/${id}`);
    await page.getByRole('button', { name: /^Discard/ }).click();
    const dialog = page.getByRole('dialog');
    const sure = dialog.getByRole('button', { name: /^Discard/ });
    expect(await sure.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    expect(readdirSync(join(place.cwd, '.loopwright/worktrees'))).toHaveLength(1);
    await page.getByRole('button', { name: /^Discard/ }).click();
    await dialog.getByRole('textbox').fill(id);
    await sure.click();
    await page.getByText('discarded').first().waitFor();
    expect(existsSync(join(place.cwd, '.loopwright/worktrees', id))).toBe(false);
  });

  it('scenario 24: a fork with a hint goes another way, and the two are compared', async () => {
    const place = project(NEEDS_A_HINT);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/sessions/${id}/flow?step=1`);
    await page.getByRole('button', { name: 'Fork here…' }).click();
    await page.getByLabel('What should the next worker know?').fill('use plus');
    await page.getByRole('dialog').getByRole('button', { name: /^Fork/ }).click();
    await page.getByRole('heading', { name: 'Compare' }).waitFor();
    await page.locator('tr.differs').waitFor();
    const { stdout } = await loopwright(['sessions', '--json'], place);
    expect(JSON.parse(stdout).sessions).toHaveLength(2);
  });

  it('scenario 25: going back to a step puts later files aside', async () => {
    const place = project(CORRECTS);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/sessions/${id}/flow?step=1`);
    await page.getByRole('button', { name: 'Go back to here…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Go back/ })
      .click();
    await page.locator('.status', { hasText: 'halted: rewound' }).waitFor();
    const { stdout } = await loopwright(['show', id, '--json'], place);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'halted', halt: { reason: 'rewound' } });
  });
});

describe('scenario 26: comments', () => {
  it('stay where they are over a reload, and reach the agent with the code they are about', async () => {
    const place = project(NEEDS_A_HINT);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/sessions/${id}/changes?file=src/other.mjs`);
    await page.locator('.diff .cm-lineNumbers .cm-gutterElement', { hasText: '1' }).first().click();
    await page.getByLabel('Comment on src/other.mjs:1').fill('use plus');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByText('Review · 1 comment').waitFor();
    await page.reload();
    await page.getByRole('list', { name: 'Comments on src/other.mjs' }).getByText('use plus').waitFor();
    await page.getByRole('button', { name: 'Look and send…' }).click();
    const preview = page.getByRole('dialog').locator('pre');
    await preview.waitFor();
    expect(await preview.innerText()).toMatch(/src\/other\.mjs[^]*export \{\};[^]*use plus/);
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
    const { stdout } = await loopwright(['show', id, '--json'], place);
    expect(JSON.stringify(JSON.parse(stdout).history)).toContain('export {};');
    expect(git(place.cwd, 'show', 'main:src/sum.mjs')).not.toContain('a + b');
  });
});

describe('scenario 27: large changes', () => {
  it('a file of 5,000 changed lines is folded and opens; a hundred files are listed', async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({
      write: { path: `src/many/${n}.txt`, content: `${n}\n` },
    }));
    const long = Array.from({ length: 5000 }, (_, n) => `line ${n}\n`).join('');
    const place = project({
      steps: [
        { write: { path: 'src/sum.mjs', content: RIGHT } },
        { write: { path: 'src/long.txt', content: long } },
        ...many,
        { say: 'done' },
      ],
    });
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard, `/sessions/${id}/changes?file=src/long.txt`);
    await page.getByText('102 files').waitFor();
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.getByRole('region', { name: 'src/long.txt' }).getByText('line 3', { exact: true }).waitFor();
    // Only what is looked at is drawn.
    expect(await page.locator('.cm-line').count()).toBeLessThan(1000);
    expect(complaints).toEqual([]);
  });
});
