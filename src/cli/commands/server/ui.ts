import type { Command } from 'commander';
import type { Project } from '../../../project/project.ts';
import type { ServeOptions, Serving } from '../../../server/serve.ts';
import { wordsOf } from '../../action-line.ts';
import { type Cli, commandFor, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { detachedWords } from '../../detached-words.ts';
import { parsePort } from '../../option-values.ts';
import { Stops } from '../../stops.ts';

export interface UiOptions extends ProjectOptions {
  readonly port?: string;
  readonly readOnly?: true;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly url?: true;
  readonly bearer?: true;
  readonly open: boolean;
}

export function declareUi(program: Command, cli: Cli): void {
  program
    .command('ui')
    .description('show this project in a browser, on this machine: what runs, why, and what needs you')
    .option('--port <n>', 'the port; 4400 or the next one that is free otherwise')
    .option('--read-only', 'show everything, change nothing')
    .option('--url', 'ask the dashboard that runs already for a new address, good once')
    .option('--bearer', 'ask the dashboard that runs already for a token for scripts')
    .option('--allow-host <name...>', 'another name it may be called by, as behind a tunnel or a proxy')
    .option('--allow-origin <origin...>', 'where the page may come from then, such as https://name')
    .option('--no-open', 'do not open a browser')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: UiOptions) => ui(cli, options)));
}

async function ui(cli: Cli, options: UiOptions): Promise<number> {
  const project = await cli.open(options);
  if (options.url || options.bearer) return ask(cli, project, options);
  return withDashboard(cli, project, options, () => stopped(cli));
}

/** Serves a project for as long as the action takes; what it starts outlives it. */
export async function withDashboard(
  cli: Cli,
  project: Project,
  options: UiOptions,
  action: () => Promise<number>,
): Promise<number> {
  const { serve } = await import('../../../server/serve.ts');
  // Before anything listens: inside an agent nothing does.
  let serving: Serving | undefined;
  const door = await project.openDoor((request) =>
    request === 'url' ? (serving?.newUrl() ?? '') : (serving?.newBearer() ?? ''),
  );
  try {
    serving = await serve(project, serveOptions(project, options));
    announce(cli, serving, options);
    return await action();
  } finally {
    door.close();
    await serving?.close();
  }
}

/** The key to a server that runs is what was asked for, so it is printed wherever it goes. */
async function ask(cli: Cli, project: Project, { url, json }: UiOptions): Promise<number> {
  const key = await project.knock(url ? 'url' : 'bearer');
  if (json) cli.json(url ? { url: key } : { bearer: key });
  else cli.screen.verbatim(key);
  return 0;
}

function serveOptions(project: Project, options: UiOptions): ServeOptions {
  return {
    ...(options.port === undefined ? {} : { port: parsePort(options.port) }),
    readOnly: options.readOnly ?? false,
    allowHosts: options.allowHost ?? [],
    allowOrigins: options.allowOrigin ?? [],
    argvOf: (command) => [process.execPath, process.argv[1] ?? '', ...detachedWords(command, project.dir)],
    commandOf: (action) => {
      const words = wordsOf(action);
      return words === undefined ? undefined : commandFor(project, ...words);
    },
  };
}

/** A token goes to a terminal that a person looks at, and into no file and no pipe. */
function announce(cli: Cli, serving: Serving, options: UiOptions): void {
  const { screen } = cli;
  const { bold, dim } = screen.style;
  if (options.json) return cli.json({ address: serving.address, port: serving.port });
  if (!screen.interactive) return screen.line(`dashboard at ${serving.address}`);
  screen.line(`${bold('dashboard')}  ${serving.newUrl()}`);
  screen.line(
    dim(
      'good once, for two minutes; `loopwright ui --url` gives another. Ctrl-C ends it; what runs goes on.',
    ),
  );
  if (options.open) void openBrowser(serving);
}

async function openBrowser(serving: Serving): Promise<void> {
  const { openInBrowser } = await import('../../open-browser.ts');
  openInBrowser(() => serving.newUrl());
}

/** It is meant to be ended like this, so it is no failure. */
export function stopped(cli: Cli): Promise<number> {
  return new Promise((resolve) => {
    const stops = new Stops(cli.screen, {
      interrupt: () => {
        queueMicrotask(() => stops.close());
        resolve(0);
      },
      lastWord: () => undefined,
    });
  });
}
