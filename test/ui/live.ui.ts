import { describe, expect, it } from 'vitest';
import { loopwright, start } from '../cli/support.ts';
import { open, serve } from './lab.ts';
import { CORRECTS, NEEDS_A_HINT, project, ran } from './projects.ts';

describe('scenario 1: the way in', () => {
  it('an address works once, shows the page, and leaves no token behind', async () => {
    const place = project(CORRECTS);
    const dashboard = await serve(place);
    const { page, context } = await open(dashboard);
    expect(page.url()).toBe(`${dashboard.address}/`);
    await page.getByText('Nothing needs you.').waitFor();
    const url = dashboard.url();
    const first = await context.newPage();
    await first.goto(url);
    await first.locator('.frame').waitFor();
    const stranger = await context.browser()?.newContext();
    const second = await stranger?.newPage();
    await second?.goto(url);
    await second?.getByText('This page needs a fresh address').waitFor();
    await stranger?.close();
  });
});

describe('a run that another process makes', () => {
  it('scenarios 6 and 9: appears by itself, is followed through its graph, and ends', async () => {
    const place = project({ steps: [{ say: 'thinking' }, ...(CORRECTS as { steps: object[] }).steps] });
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard, '/sessions');
    await page.getByText('No session so far.').waitFor();
    const running = start(['run', 'make sum add its numbers'], place);
    await page.getByRole('link', { name: 'make sum add its numbers' }).click();
    await page.getByRole('heading', { name: 'make sum add its numbers' }).waitFor();
    await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
    expect((await running.ended).code).toBe(0);
    await page.locator('.block.passed', { hasText: 'RunTests' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('scenario 7: a step shows the five layers as the command line does', async () => {
    const place = project(CORRECTS);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/sessions/${id}/flow?step=1`);
    const layers = page.locator('.layers > details > summary');
    await layers.first().waitFor();
    expect(await layers.allInnerTexts()).toEqual([
      expect.stringContaining('1 Execution payload'),
      expect.stringContaining('2 Contract'),
      expect.stringContaining('3 Inherited context'),
      expect.stringContaining('4 Primary artifact'),
      expect.stringContaining('5 System metadata'),
      expect.stringContaining('Prompt as sent'),
    ]);
    await page.getByText('Prompt as sent').click();
    const shown = await loopwright(['show', id, '--step', '1', '--json'], place);
    const { prompts } = JSON.parse(shown.stdout);
    expect(await page.locator('.layers pre').last().innerText()).toBe(prompts[0].text);
  });

  it('scenario 8: any step can be gone back to, and left again', async () => {
    const place = project(CORRECTS);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, `/sessions/${id}`);
    await page.locator('.tick').nth(2).click();
    await page.getByRole('region', { name: 'Step 3' }).waitFor();
    expect(page.url()).toContain('step=3');
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Now', exact: true }).waitFor();
  });
});

describe('scenario 15: a session that halted', () => {
  it('says why where it is looked at; a hint reaches the next worker, and it completes', async () => {
    const place = project(NEEDS_A_HINT);
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard);
    await page.getByText('Needs you · 1').waitFor();
    await page.getByRole('link', { name: 'make sum add its numbers' }).click();
    await page.getByRole('region', { name: 'Why it stands still' }).waitFor();
    await page.getByRole('button', { name: /^Retry/ }).click();
    await page.getByLabel('What should the next worker know?').fill('use plus');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Retry/ })
      .click();
    await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
    const { stdout } = await loopwright(['show', id, '--json'], place);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
    expect(JSON.parse(stdout).history).toContainEqual(
      expect.objectContaining({ kind: 'guidance', text: 'use plus' }),
    );
    expect(complaints).toEqual([]);
  });
});
