import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { loopwright } from '../cli/support.ts';
import { go, open, picturePath, serve } from './lab.ts';
import { CORRECTS, NEEDS_A_HINT, project, ran } from './projects.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SIZES = [1440, 1024, 390] as const;

/** Screens with something on them, and how each is called. */
function screens(id: string, task: string): readonly (readonly [name: string, path: string])[] {
  const session = `/sessions/${id}`;
  return [
    ['inbox', '/'],
    ['board', '/board'],
    ['task', `/tasks/${task}`],
    ['sessions', '/sessions'],
    ['flow', session],
    ['timeline', `${session}/timeline`],
    ['changes', `${session}/changes`],
    ['logs', `${session}/logs`],
    ['terminal', `${session}/terminal`],
    ['calls', `${session}/calls`],
    ['evidence', `${session}/evidence`],
    ['plan', `${session}/plan`],
    ['pipelines', '/pipelines'],
    ['workflows', '/workflows/test-fix'],
    ['worktrees', '/worktrees'],
    ['agents', '/agents'],
    ['costs', '/costs'],
    ['settings', '/settings'],
  ];
}

/** What stands against WCAG 2.2 A and AA on the page as it is, one line each. */
async function barriers(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then((r) => r.violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

async function filled() {
  const place = project(NEEDS_A_HINT);
  const id = await ran(place);
  for (const title of ['Add paging', 'Split the module', 'Rate limits'])
    await loopwright(['task', 'add', title, '--allow', 'src/**', '--command', 'node --test test/'], place);
  const { stdout } = await loopwright(['task', 'list', '--json'], place);
  return { place, id, task: JSON.parse(stdout).tasks[0].id as string };
}

it.each([
  ['light', false],
  ['dark', true],
] as const)(
  'no screen has a barrier, in %s, and each has its picture at three widths',
  async (theme, dark) => {
    const { place, id, task } = await filled();
    const dashboard = await serve(place);
    const problems: string[] = [];
    for (const width of SIZES) {
      const { page } = await open(dashboard, '/', { dark, width, bypassCsp: true });
      for (const [name, path] of screens(id, task)) {
        await go(page, path);
        await page.locator('.main h1').first().waitFor();
        await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
        await page.screenshot({ path: picturePath(`${name}-${theme}-${width}`) });
        if (width !== 1024)
          problems.push(...(await barriers(page)).map((barrier) => `${name} ${width}: ${barrier}`));
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (wide > 0) problems.push(`${name} ${width}: ${wide} pixels too wide`);
      }
    }
    expect(problems).toEqual([]);
  },
);

it('scenario 42: from the inbox to a retry with a hint by keys alone', async () => {
  const place = project(NEEDS_A_HINT);
  const id = await ran(place);
  const dashboard = await serve(place);
  const { page } = await open(dashboard);
  await page.getByText('Needs you · 1').waitFor();
  await page.keyboard.press('r');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Tab');
  await page.getByLabel('What should the next worker know?').focus();
  await page.keyboard.type('use plus');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing needs you.').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('make sum');
  await page.keyboard.press('Enter');
  await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
  const { stdout } = await loopwright(['show', id, '--json'], place);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
});

it('scenario 43: on a telephone the inbox is read, and what waits is dealt with', async () => {
  const place = project(CORRECTS);
  await loopwright(['task', 'add', 'Correct the sum', '--command', 'node --test test/'], place);
  await loopwright(['work', '--once'], place);
  const dashboard = await serve(place);
  const { page } = await open(dashboard, '/', { width: 390, height: 780 });
  await page.getByText('awaits your verdict').waitFor();
  await page.getByRole('link', { name: 'Correct the sum' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.locator('.status.done', { hasText: 'done' }).first().waitFor();
});
