import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { makeStyle } from '../../src/cli/display/style.ts';
import type { Screen } from '../../src/cli/output.ts';
import { terminalSettings } from '../../src/config/terminal.ts';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const COMMAND = join(ROOT, 'dist/bin/loopwright.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A folder of this test, gone when it ends. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loopwright-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files; what is not a text becomes JSON. */
export function write(folder: string, files: { readonly [path: string]: unknown }): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(
      join(folder, path),
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    );
  }
}

/**
 * Runs a command line to its end: in this process, which is quicker, but for a second one at the same time. Whatever
 * is about processes (signals, kills, two at once, what a pipe sees) uses `start`.
 */
export async function loopwright(args: readonly string[], place: Place): Promise<Ended> {
  places.add(place.cwd);
  if (isBusy) return start(args, place).ended;
  isBusy = true;
  const { argv, env } = process;
  const cwd = process.cwd();
  try {
    const { runProgram } = await builtProgram();
    process.chdir(place.cwd);
    process.argv = [process.execPath, COMMAND, ...args];
    process.env = Object.fromEntries(
      Object.entries({ ...plainEnvironment(), ...place.env }).filter(([, value]) => value !== undefined),
    );
    const screen = new CapturedScreen(terminalSettings(false, process.env));
    const code = await runProgram(args, screen);
    return { code, stdout: screen.out.join(''), stderr: screen.err.join('') };
  } finally {
    process.chdir(cwd);
    Object.assign(process, { argv, env });
    isBusy = false;
  }
}

let isBusy = false;

/** Where commands were run: a person reads short ids, a test looks for the files of a session. */
const places = new Set<string>();

/** The whole id of the session that ends like this, in whatever project of this test has it. */
export function wholeId(short: string | undefined): string {
  if (short === undefined) return '';
  const ids = [...places].flatMap((place) => {
    const folder = join(place, '.loopwright/sessions');
    return existsSync(folder) ? readdirSync(folder) : [];
  });
  return ids.find((id) => id.endsWith(short)) ?? short;
}

/** What is shipped, loaded once for all commands of a test file. */
function builtProgram(): Promise<typeof import('../../src/cli/program.ts')> {
  const file = new URL('../../dist/cli/program.js', import.meta.url).href;
  return import(/* @vite-ignore */ file) as Promise<typeof import('../../src/cli/program.ts')>;
}

/** A pipe, as far as a command can tell. */
class CapturedScreen implements Screen {
  readonly out: string[] = [];
  readonly err: string[] = [];
  readonly style: Screen['style'];
  readonly errorStyle: Screen['errorStyle'];
  readonly color: boolean;
  readonly debug = false;
  readonly live = false;
  readonly interactive = false;
  readonly columns: number;
  readonly width: number;
  readonly failure = undefined;

  constructor({ color, columns }: ReturnType<typeof terminalSettings>) {
    this.columns = columns ?? 100;
    this.width = columns ?? Number.POSITIVE_INFINITY;
    this.color = color;
    this.style = makeStyle(color);
    this.errorStyle = this.style;
  }

  line(text = ''): void {
    this.out.push(`${text}\n`);
  }

  verbatim(text: string): void {
    this.line(text);
  }

  text(text: string): Promise<void> {
    this.out.push(text);
    return Promise.resolve();
  }

  error(text: string): void {
    this.err.push(`${text}\n`);
  }

  json(value: unknown): void {
    this.line(JSON.stringify(value));
  }

  onClosed(): () => void {
    return () => undefined;
  }
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when standard output holds the text. */
  saw(text: string): Promise<void>;
}

export function start(args: readonly string[], { cwd, env }: Place): Started {
  places.add(cwd);
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd,
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const saw = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!stdout.includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      ended.then(
        () => reject(new Error(`ended without "${text}":\n${stdout}\n${stderr}`)),
        (error: unknown) => reject(error as Error),
      );
    });
  return { child, ended, saw };
}

/** Resolves when the folder holds that file. */
export function appears(folder: string, name: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!existsSync(join(folder, name))) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(folder, look);
    look();
  });
}

/** Nothing of the terminal or of the test runner reaches the command. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(VITEST|GIT_|LOOPWRIGHT_|NO_COLOR|FORCE_COLOR|COLUMNS$|NODE_OPTIONS|NODE_TEST_CONTEXT)/.test(name),
  );
  // What a test shows must not depend on what the machine can put around a child; the walls have tests of their own.
  return { ...Object.fromEntries(kept), LOOPWRIGHT_SANDBOX: 'off', LOOPWRIGHT_TRUST: '1' };
}

export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Runs a command line that loopwright printed, exactly as a person would paste it. */
export async function paste(line: string, place: Place): Promise<Ended> {
  const child = spawn('sh', ['-c', line], { ...place, env: { ...plainEnvironment(), ...place.env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}
