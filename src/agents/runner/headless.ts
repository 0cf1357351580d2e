import { UsageError } from '../../kernel/errors.ts';
import { startChild } from '../../process/start.ts';
import { endLeftBehind, endStarted, identityOf } from '../../process/wait-for-end.ts';
import { TextView } from '../interaction/watch.ts';
import type { AgentExit, AgentOutput, AgentProcess, LaunchRequest } from './agent-process.ts';
import { ProcessRunner } from './process-runner.ts';
import type { RunnerOptions } from './runner.ts';

/** Runs an agent without a terminal: two pipes out, one in. */
export class HeadlessRunner extends ProcessRunner {
  override readonly kind = 'headless';
  protected override readonly view = new TextView();
  protected override readonly launch = launchHeadless;

  constructor(options: RunnerOptions) {
    super('headless', options);
  }
}

/** Starts a program with pipes, without a shell, at the head of its own process group. */
async function launchHeadless(request: LaunchRequest): Promise<AgentProcess> {
  const { command, args, cwd, env, marker, noInput, input, wall } = request;
  const started = await startChild({
    argv: [command, ...args],
    cwd,
    env,
    marker,
    wall,
    streams: 'separate',
    keepInput: !noInput && input === undefined,
    ...(input === undefined ? {} : { input }),
  });
  const { child, errors } = started;
  const identity = identityOf(started.pid);
  const write = (text: string) => {
    if (!child.stdin?.writable) throw new UsageError(`The input of ${command} is closed.`);
    child.stdin.write(text);
  };
  const outputs: AgentOutput[] = [{ name: 'stdout', bytes: started.output }];
  if (errors) outputs.push({ name: 'stderr', bytes: errors });
  return {
    identity,
    outputs,
    exit: started.exit.then((end): AgentExit => {
      if (end.kind === 'exited' || end.kind === 'killed') return end;
      throw new Error(`a process does not end by being ${end.kind}`);
    }),
    write,
    submit: (text) => write(text.endsWith('\n') ? text : `${text}\n`),
    closeInput: () => child.stdin?.end(),
    resize: () => {
      // There is no terminal.
    },
    end: () => endStarted(started, identity, marker),
    tidy: () => endLeftBehind(identity, { marker, cwd, wall, kin: started.kin, began: started.began }),
  };
}
