import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appears, loopwright, start, write } from '../cli/support.ts';
import { flow, repository } from '../cli/workspace-support.ts';
import { go, open, serve } from './lab.ts';
import { CORRECTS, project, ran } from './projects.ts';

/** A session whose second step waits until a file is there. */
function waiting(): { readonly cwd: string; readonly gate: string } {
  const gate = join(repository(), 'gate');
  mkdirSync(gate);
  const cwd = repository({
    'w.json': flow(['write', 'a.txt', 'one\n'], ['wait', gate, 'second'], ['write', 'b.txt', 'two\n']),
  });
  return { cwd, gate };
}

describe('whoever runs a session', () => {
  it('scenario 10: killed, it is said to have died; resumed from the page, the step runs again once', async () => {
    const { cwd, gate } = waiting();
    const dashboard = await serve({ cwd });
    const { page } = await open(dashboard, '/sessions');
    const running = start(['run', 'write two files', '-w', 'w.json', '--no-baseline'], { cwd });
    await appears(gate, 'second.started');
    await page.getByRole('link', { name: 'write two files' }).click();
    await page.locator('.running-line', { hasText: 'S2' }).waitFor();
    running.child.kill('SIGKILL');
    await running.ended;
    await page.locator('.status.failed', { hasText: 'died' }).first().waitFor();
    writeFileSync(join(gate, 'second.go'), '');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
    const [id = ''] = readdirSync(join(cwd, '.loopwright/sessions'));
    const shown = JSON.parse((await loopwright(['show', id, '--json'], { cwd })).stdout);
    expect(shown.trail.map(({ block }: { block: string }) => block)).toEqual([
      'Main__S1',
      'Main__S2',
      'Main__S3',
    ]);
    // Scenario 11: whoever took over is told.
    await page.getByText('epoch 2').waitFor();
  });

  it('scenarios 12 and 13: the server killed in the middle ends nothing, and the page catches up by itself', async () => {
    const { cwd, gate } = waiting();
    const dashboard = await serve({ cwd });
    const { page } = await open(dashboard, '/sessions');
    const running = start(['run', 'write two files', '-w', 'w.json', '--no-baseline'], { cwd });
    await appears(gate, 'second.started');
    await page.getByText('write two files').waitFor();
    await dashboard.kill();
    await page.getByText(/not live since/).waitFor();
    writeFileSync(join(gate, 'second.go'), '');
    expect((await running.ended).code).toBe(0);
    const again = await serve({ cwd }, '--port', String(dashboard.port));
    await page.goto(again.url());
    await go(page, '/sessions');
    await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
  });

  it('scenario 16: interrupted from the page it halts, and goes on from there', async () => {
    const { cwd, gate } = waiting();
    const dashboard = await serve({ cwd });
    const { page } = await open(dashboard, '/sessions');
    const running = start(['run', 'write two files', '-w', 'w.json', '--no-baseline'], { cwd });
    await appears(gate, 'second.started');
    await page.getByRole('link', { name: 'write two files' }).click();
    // Nothing to decide while it runs.
    expect(await page.getByRole('region', { name: 'Why it stands still' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await page.locator('.status', { hasText: 'halted: interrupted' }).first().waitFor();
    expect((await running.ended).code).not.toBe(0);
    writeFileSync(join(gate, 'second.go'), '');
    await page
      .getByRole('button', { name: /^Resume/ })
      .first()
      .click();
    await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
  });
});

describe('what a person is asked', () => {
  it('scenario 17: started step by step, each block waits for one word', async () => {
    const place = project(CORRECTS);
    const dashboard = await serve(place);
    const { page } = await open(dashboard, '/sessions');
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByRole('textbox', { name: 'Goal' }).fill('make sum add its numbers');
    await page.getByLabel('Halt before every block').check();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.status', { hasText: 'halted: step' }).waitFor();
    await page.getByRole('button', { name: /step/i }).first().click();
    await page.getByRole('region', { name: /^Step 1/ }).waitFor();
  });

  it('scenario 18: the question of an agent is answered in the inbox', async () => {
    const ask = { ask: { question: 'Which operator?', choices: ['plus', 'minus'] } };
    const place = project(
      { steps: [ask, ...(CORRECTS as { steps: object[] }).steps] },
      { questions: { minutes: 60 } },
    );
    const dashboard = await serve(place);
    const { page } = await open(dashboard);
    const running = start(['run', 'make sum add its numbers'], place);
    // The script asks in each of its conversations: first to change the code, then to describe it.
    for (const block of ['GenerateCode', 'GenerateDocs']) {
      await page.getByText('Which operator?').first().waitFor();
      await page.getByRole('button', { name: `Answer ${block}` }).click();
      await page.getByLabel('Your answer').fill('plus');
      await page.getByRole('dialog').getByRole('button', { name: 'Answer' }).click();
    }
    await page.getByText('Nothing needs you.').waitFor();
    expect((await running.ended).code).toBe(0);
  });

  it('scenario 19: a budget that is used up is raised, and the session goes on', async () => {
    const place = project(CORRECTS);
    await ran(place, 'make sum add its numbers', '--budget', 'steps=8');
    const dashboard = await serve(place);
    const { page } = await open(dashboard);
    await page.getByRole('link', { name: 'make sum add its numbers' }).click();
    await page.locator('.status', { hasText: 'halted: budget' }).waitFor();
    await page.getByRole('button', { name: /larger budget/ }).click();
    await page.locator('.status.done', { hasText: 'completed' }).first().waitFor();
  });
});

describe('bad days', () => {
  it('scenario 40: one unreadable session does not hide the others, and says what is wrong', async () => {
    const place = project(CORRECTS);
    const id = await ran(place);
    const broken = await ran(place, 'another goal');
    const folder = join(place.cwd, '.loopwright/sessions', broken);
    for (const name of readdirSync(folder))
      if (/^(?:journal|session)/.test(name)) writeFileSync(join(folder, name), 'not json\n');
    const dashboard = await serve(place);
    const { page } = await open(dashboard, '/sessions');
    await page.locator('.status', { hasText: 'unreadable' }).waitFor();
    await page.getByRole('link', { name: 'make sum add its numbers' }).waitFor();
    await go(page, `/sessions/${broken}`);
    await page.getByRole('alert').waitFor();
    await go(page, `/sessions/${id}`);
    await page.locator('.status.done').first().waitFor();
  });

  it('scenario 41: twelve tabs are all live', async () => {
    const place = project(CORRECTS);
    const dashboard = await serve(place);
    const { context } = await open(dashboard);
    const tabs = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const tab = await context.newPage();
        await tab.goto(`${dashboard.address}/sessions`);
        return tab;
      }),
    );
    await ran(place);
    await Promise.all(tabs.map((tab) => tab.getByText('make sum add its numbers').waitFor()));
  });

  it('a binary file and a huge segment are told of, and nothing breaks', async () => {
    const place = project(CORRECTS);
    const huge = 'x'.repeat(3_000_000);
    write(place.cwd, {
      '.loopwright/script.json': { steps: [...(CORRECTS as { steps: object[] }).steps, { say: huge }] },
    });
    const id = await ran(place);
    const dashboard = await serve(place);
    const { page, complaints } = await open(dashboard, `/sessions/${id}/flow?step=1`);
    await page.getByRole('button', { name: 'Output' }).click();
    await page.getByText(/more$/).first().waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('scenario 36: settings', () => {
  it('one that the environment sets is locked, one of the file is written with the rest of it kept', async () => {
    const place = project(CORRECTS);
    const dashboard = await serve({ ...place, env: { ...place.env, TASK_LEASE_SECONDS: '77' } });
    const { page } = await open(dashboard, '/settings?q=lease');
    const row = page.getByRole('row', { name: /TASK_LEASE_SECONDS/ });
    await row.getByText('77').waitFor();
    expect(await row.getByText('locked').count()).toBe(1);
    await go(page, '/settings?q=cooldown');
    await page.getByRole('button', { name: 'Change runtime.coolDownMs' }).click();
    await page.getByRole('dialog').getByLabel('Value').fill('4321');
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.getByRole('cell', { name: '4321' }).waitFor();
    const written = JSON.parse(readFileSync(join(place.cwd, '.loopwright/config.json'), 'utf8'));
    expect(written).toMatchObject({ commands: { test: 'node --test test/' }, runtime: { coolDownMs: 4321 } });
  });
});
