import {
  type ConfigFile,
  OWN_FILE,
  readOwnFile,
  readSharedFile,
  SHARED_FILE,
} from '../../config/config-file.ts';
import { detectCommands } from '../../config/detect.ts';
import type { SteeringFile } from '../../config/trust/steering-files.ts';
import { LoopwrightError } from '../../kernel/errors.ts';

/** One thing that a trusted project may do. */
export interface Obeyed {
  /** `runs`: a program of it is started; `obeys`: it decides how. */
  readonly kind: 'runs' | 'obeys';
  readonly what: string;
  readonly from: string;
}

/** What trusting a project means, as far as its files tell without running anything. */
export function obeyed(dir: string, files: readonly SteeringFile[]): Obeyed[] {
  const rows = [
    ...configured(OWN_FILE, () => readOwnFile(dir)),
    ...configured(SHARED_FILE, () => readSharedFile(dir)),
  ];
  const checks = rows.length > 0 ? [] : detected(dir);
  const others = files
    .filter(({ path }) => path !== OWN_FILE && path !== SHARED_FILE)
    .map(({ path }) => meaningOf(path));
  return [...rows, ...checks, ...others, ITS_PROGRAMS];
}

/** Holds for every project: a test is a program, and so is whatever it loads. */
const ITS_PROGRAMS: Obeyed = {
  kind: 'runs',
  what: 'tests, builds and install scripts, as its own files define them',
  from: 'the repository',
};

function configured(from: string, read: () => ConfigFile): Obeyed[] {
  try {
    return rowsOf(read()).map((row) => ({ ...row, from }));
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return [{ kind: 'obeys', what: 'settings that cannot be read as they are', from }];
  }
}

type Row = Omit<Obeyed, 'from'>;

function rowsOf(config: ConfigFile): Row[] {
  const {
    commands = {},
    worktrees = {},
    workers = {},
    environment = {},
    sandbox,
    workflow,
    repository,
    notify = {},
  } = config;
  return [
    ...Object.entries(commands).map(([kind, line]) => runs(`${kind}: ${words(line)}`)),
    ...(worktrees.setup ?? []).map((line) => runs(`setup of a worktree: ${words(line)}`)),
    ...(worktrees.teardown ?? []).map((line) => runs(`teardown of a worktree: ${words(line)}`)),
    ...(worktrees.share ?? []).map((folder) => obeys(`shares with each worktree: ${folder}`)),
    ...(worktrees.copy ?? []).map((file) => obeys(`copies into each worktree: ${file}`)),
    ...(notify.command === undefined ? [] : [runs(`to notify you: ${words(notify.command)}`)]),
    ...(notify.webhook === undefined ? [] : [obeys(`sends notifications to ${notify.webhook.url}`)]),
    ...Object.entries(workers).map(([name, worker]) => {
      const program =
        worker.command === undefined ? undefined : `the worker ${name}: ${words(worker.command)}`;
      return program === undefined
        ? obeys(`the worker ${name}: ${words(JSON.stringify(worker))}`)
        : runs(program);
    }),
    ...Object.entries(environment).map(([kind, names]) => obeys(`hands to each ${kind}: ${words(names)}`)),
    ...(sandbox === undefined ? [] : [obeys(`the sandbox: ${JSON.stringify(sandbox)}`)]),
    ...(workflow === undefined ? [] : [obeys(`the workflow ${workflow}`)]),
    ...(repository === undefined ? [] : [obeys(`the repository: ${JSON.stringify(repository)}`)]),
  ];
}

const runs = (what: string): Row => ({ kind: 'runs', what });
const obeys = (what: string): Row => ({ kind: 'obeys', what });
const words = (line: string | readonly string[]): string =>
  typeof line === 'string' ? line : line.join(' ');

function detected(dir: string): Obeyed[] {
  return Object.entries(detectCommands(dir)).map(([kind, { command, from }]) => ({
    kind: 'runs',
    what: `${kind}: ${command.join(' ')}`,
    from,
  }));
}

function meaningOf(path: string): Obeyed {
  const [, , name = ''] = /^\.loopwright\/(adapters|flows|roles)\/(.+)$/.exec(path) ?? [];
  if (path.startsWith('.loopwright/adapters/'))
    return { kind: 'runs', what: `an agent of its own: ${name}`, from: path };
  if (path.startsWith('.loopwright/flows/'))
    return { kind: 'obeys', what: `its flow of a task: ${name}`, from: path };
  if (path.startsWith('.loopwright/roles/'))
    return { kind: 'obeys', what: `its words to a role: ${name}`, from: path };
  if (path.endsWith('verify.contract.json'))
    return { kind: 'runs', what: 'the commands of its contract', from: path };
  if (!path.startsWith('.loopwright/'))
    return { kind: 'obeys', what: 'what agents start and load with it', from: path };
  return { kind: 'obeys', what: 'what it says', from: path };
}
