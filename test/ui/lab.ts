import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { type Place, plainEnvironment } from '../cli/support.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const COMMAND = join(ROOT, 'dist/bin/loopwright.js');

let browser: Promise<Browser> | undefined;

/** One browser for all tests of a file; as root it has no sandbox of its own. Nothing leaves this machine. */
function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: process.env['LOOPWRIGHT_TEST_BROWSER'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP evil.example 127.0.0.1',
    ],
  });
  return browser;
}
afterAll(async () => (await browser)?.close());

export interface Dashboard {
  readonly address: string;
  readonly port: number;
  /** A fresh address with its one-time token. */
  url(): string;
  bearer(): string;
  kill(): Promise<void>;
}

/** Starts `loopwright ui` for a project, as a person would. */
export async function serve(place: Place, ...options: readonly string[]): Promise<Dashboard> {
  const env = { ...plainEnvironment(), ...place.env };
  const words = [COMMAND, 'ui', '--no-open', '--json', '--port', '0', ...options];
  const child = spawn(process.execPath, words, { cwd: place.cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const where = await new Promise<{ readonly address: string; readonly port: number }>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)));
    child.once('close', (code) => reject(new Error(`ui ended with ${code} before it listened`)));
  });
  const ask = (what: string): string => {
    const done = spawnSync(process.execPath, [COMMAND, 'ui', what, '--json'], {
      cwd: place.cwd,
      env,
      encoding: 'utf8',
    });
    const said = JSON.parse(done.stdout) as { readonly url?: string; readonly bearer?: string };
    return said.url ?? said.bearer ?? '';
  };
  return {
    ...where,
    url: () => ask('--url'),
    bearer: () => ask('--bearer'),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page complained about: nothing, at the end of every test that does not say otherwise. */
  readonly complaints: string[];
}

/** A browser window of its own, logged in. */
export async function open(
  dashboard: Dashboard,
  path = '/',
  options: {
    readonly width?: number;
    readonly height?: number;
    readonly dark?: boolean;
    /** For tools of a test that are put into the page: its own rules would refuse them. */
    readonly bypassCsp?: boolean;
  } = {},
): Promise<Opened> {
  const context = await (await theBrowser()).newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    bypassCSP: options.bypassCsp ?? false,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // For what hangs: a busy machine may take ten times as long.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  onTestFinished(async ({ task }) => {
    const name = `failed-${task.name.replaceAll(/\W+/g, '-')}`;
    if (task.result?.state === 'fail') await page.screenshot({ path: picturePath(name) });
    await context.close();
  });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(dashboard.url());
  await page.locator('.frame').waitFor();
  if (path !== '/') await go(page, path);
  return { page, context, complaints };
}

/** Goes to another place of the app without loading it anew. */
export async function go(page: Page, path: string): Promise<void> {
  const to = JSON.stringify(path);
  await page.evaluate(`history.pushState(null, '', ${to}); dispatchEvent(new PopStateEvent('popstate'));`);
}

/** A picture of every screen, beside the caches, which are not committed. */
export function picturePath(name: string): string {
  return join(ROOT, '.cache/ui-pictures', `${name}.png`);
}
