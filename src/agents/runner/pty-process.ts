import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { childEnvironment, type Environment } from '../../process/child-env.ts';
import { ControlGroup, type Kin } from '../../process/control-group.ts';
import { endProcessTree } from '../../process/end-tree.ts';
import { findProgram } from '../../process/find-program.ts';
import { ownProgram } from '../../process/own-program.ts';
import { behind, closedAfter } from '../../process/start.ts';
import { endLeftBehind } from '../../process/wait-for-end.ts';
import type { AgentExit, AgentProcess, LaunchRequest } from './agent-process.ts';
import type { HostCommand, HostReport } from './host/protocol.ts';

/** How the terminal presents itself to the program: as one that it knows, not as the one we are on ourselves. */
const TERMINAL_TYPE = 'xterm-256color';
const OTHER_TERMINAL = ['COLUMNS', 'LINES', 'TERMCAP', 'TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'WINDOWID'];
/** Programs take text and Enter in one piece for something pasted, and do not send it. */
const ENTER_AFTER_MS = 50;
/** How long a host may take to tell the end after everything on its terminal is gone. */
const HOST_PATIENCE_MS = 5000;

/** Starts a program on a terminal of its own, in a host of its own. */
export async function launchPty(request: LaunchRequest): Promise<AgentProcess> {
  const { command, args, cwd, marker, size } = request;
  await stat(cwd);
  const own = childEnvironment(onTerminal(request.env), cwd, marker);
  const enclosed = await request.wall?.enclose([command, ...args], cwd, own);
  const [program = await findProgram(command, cwd, own), ...words] = enclosed?.argv ?? [];
  const env = enclosed?.env ?? own;
  const group = ControlGroup.open();
  const kin = group ?? behind(enclosed);
  const host = group ? group.start(spawnHost) : spawnHost();
  // Both before the first word from it: a short program's start and end may come together.
  const [started, exited] = [startOn(host), exitOf(host)];
  const launch = { program, args: enclosed ? words : args, cwd, env, size, marker };
  tell(host, { type: 'start', launch });
  return hosted(host, await started, closedAfter(exited, enclosed), { ...request, kin });
}

function spawnHost(): ChildProcess {
  return spawn(process.execPath, [ownProgram('agents/runner/host/pty-host.js')], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    detached: true,
  });
}

function onTerminal(env: Environment): Environment {
  const gone = OTHER_TERMINAL.map((name) => [name, undefined] as const);
  return { ...env, ...Object.fromEntries(gone), TERM: TERMINAL_TYPE };
}

function startOn(host: ChildProcess): Promise<ProcessIdentity> {
  return new Promise((resolve, reject) => {
    host.once('error', reject);
    host.once('exit', () => reject(new Error('the host of its terminal ended before it began')));
    host.once('message', (report: HostReport) => {
      if (report.type === 'started') resolve(report.identity);
      else reject(new Error(report.type === 'failed' ? report.message : 'no terminal was opened'));
    });
  });
}

function hosted(
  host: ChildProcess,
  identity: ProcessIdentity,
  exited: Promise<AgentExit | NodeJS.Signals>,
  { marker, cwd, wall, kin }: LaunchRequest & { readonly kin: Kin | undefined },
): AgentProcess {
  const { stdout } = host;
  if (!stdout) throw new Error('the host of its terminal has no output');
  const endTree = () => endProcessTree(identity, marker);
  const exit = exited.then(async (told): Promise<AgentExit> => {
    if (typeof told === 'object') return told;
    // A host that was killed leaves its program to us.
    await endTree();
    return { kind: 'killed', signal: told };
  });
  const write = (text: string) => tell(host, { type: 'input', text });
  return {
    identity,
    outputs: [{ name: 'terminal', bytes: stdout }],
    exit,
    write,
    submit(text) {
      if (text !== '') write(text);
      setTimeout(() => tell(host, { type: 'input', text: '\r' }), text === '' ? 0 : ENTER_AFTER_MS);
    },
    // A terminal has no end of input of its own; Ctrl-D is what a person would press.
    closeInput: () => tell(host, { type: 'input', text: '\u0004' }),
    resize: (size) => tell(host, { type: 'resize', size }),
    tidy: () => endLeftBehind(identity, { marker, cwd, wall, kin }),
    async end() {
      await endTree();
      await Promise.race([exit, sleep(HOST_PATIENCE_MS, undefined, { ref: false })]);
      host.kill('SIGKILL');
      await endLeftBehind(identity, { marker, cwd, wall, kin });
    },
  };
}

/** Resolves when the host is gone and its output closed: with its program's end, or with what ended the host itself. */
function exitOf(host: ChildProcess): Promise<AgentExit | NodeJS.Signals> {
  return new Promise((resolve) => {
    let told: AgentExit | undefined;
    host.on('message', (report: HostReport) => {
      if (report.type === 'exited') told = report.exit;
    });
    host.once('close', (_code, signal) => resolve(told ?? signal ?? 'SIGHUP'));
  });
}

function tell(host: ChildProcess, command: HostCommand): void {
  // A host that is gone needs to be told nothing; its end is on its way.
  if (host.connected) host.send(command, () => {});
}
