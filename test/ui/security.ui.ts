import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type Dashboard, open, serve } from './lab.ts';
import { CORRECTS, project, ran } from './projects.ts';

const status = async (address: string, path: string, init: RequestInit = {}) =>
  (await fetch(`${address}${path}`, init)).status;

it('scenario 2: without a half of the key, or from elsewhere, nothing is told and nothing done', async () => {
  const dashboard = await serve(project(CORRECTS));
  const { address } = dashboard;
  const bearer = { authorization: `Bearer ${dashboard.bearer()}` };
  expect(await status(address, '/api/v1/sessions')).toBe(401);
  expect(await status(address, '/api/v1/sessions', { headers: bearer })).toBe(200);
  expect(
    await status(address, '/api/v1/sessions', { headers: { ...bearer, origin: 'http://evil.example' } }),
  ).toBe(403);
  expect(await status(address, '/api/v1/sessions', { method: 'OPTIONS' })).toBe(403);
  const form = { method: 'POST', headers: { ...bearer, 'content-type': 'text/plain' }, body: '{}' };
  expect([400, 403, 415]).toContain(await status(address, '/api/v1/sessions', form));
  const { page } = await open(dashboard);
  // The cookie alone: the page's own half is missing.
  expect(await page.evaluate(`fetch('/api/v1/sessions').then((reply) => reply.status)`)).toBe(401);
  // By another name, as a page does that rebinds its own to this machine.
  const rebound = await page.context().newPage();
  const reply = await rebound.goto(`http://evil.example:${dashboard.port}/`);
  expect(reply?.status()).toBe(403);
});

it('scenario 3: a page on another port of this machine can do nothing with the cookie it is sent', async () => {
  const dashboard = await serve(project(CORRECTS));
  const { page } = await open(dashboard);
  const other = await pageOnAnotherPort();
  await page.goto(other);
  const tried = (path: string, how: string) =>
    page.evaluate(
      `fetch('${dashboard.address}${path}', ${how}).then((r) => 'got ' + r.status, () => 'refused')`,
    );
  expect(await tried('/api/v1/sessions', `{ credentials: 'include' }`)).toBe('refused');
  expect(await tried('/api/v1/sessions', `{ method: 'POST', credentials: 'include', body: '{}' }`)).toBe(
    'refused',
  );
  const socket = await page.evaluate(`new Promise((done) => {
    const socket = new WebSocket('${dashboard.address.replace('http', 'ws')}/api/v1/live');
    socket.onopen = () => done('open');
    socket.onerror = () => done('refused');
  })`);
  expect(socket).toBe('refused');
});

async function pageOnAnotherPort(): Promise<string> {
  const server = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end('<p>other</p>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const SCREENS = (id: string) => [
  '/',
  '/board',
  '/sessions',
  `/sessions/${id}`,
  `/sessions/${id}/timeline`,
  `/sessions/${id}/changes`,
  `/sessions/${id}/logs`,
  `/sessions/${id}/terminal`,
  `/sessions/${id}/calls`,
  `/sessions/${id}/evidence`,
  `/sessions/${id}/plan`,
  '/pipelines',
  '/workflows/test-fix',
  '/calls',
  '/worktrees',
  '/agents',
  '/costs',
  '/settings',
];

it('scenarios 4 and 44: no screen breaks its own rules or needs another machine; what an agent says stays text', async () => {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script> \u202edrow';
  const place = project({
    steps: [{ say: evil }, ...(CORRECTS as { steps: object[] }).steps, { say: evil }],
  });
  const id = await ran(place, evil);
  const dashboard = await serve(place);
  const { page, complaints } = await open(dashboard);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).host));
  for (const path of SCREENS(id)) {
    await page.goto(`${dashboard.address}${path}`);
    await page.locator('.main h1').first().waitFor();
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
  }
  expect(complaints).toEqual([]);
  expect(new Set(asked)).toEqual(new Set([new URL(dashboard.address).host]));
  await page.goto(`${dashboard.address}/sessions/${id}/calls`);
  await page.getByText('document.title=1').first().waitFor();
  expect(await page.title()).not.toMatch(/^[12]$/);
  expect(await page.locator('.main img, .main script').count()).toBe(0);
});

it('scenario 5: read-only shows everything and changes nothing', async () => {
  const place = project(CORRECTS);
  const id = await ran(place);
  const dashboard: Dashboard = await serve(place, '--read-only');
  const { page } = await open(dashboard, `/sessions/${id}`);
  await page.getByText('read-only').waitFor();
  expect(await page.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
  const headers = { authorization: `Bearer ${dashboard.bearer()}`, 'content-type': 'application/json' };
  const tried = await fetch(`${dashboard.address}/api/v1/sessions/${id}/accept`, {
    method: 'POST',
    headers,
    body: '{}',
  });
  expect([tried.status, ((await tried.json()) as { code: string }).code]).toEqual([403, 'read-only']);
});
