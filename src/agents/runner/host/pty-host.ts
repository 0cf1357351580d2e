import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { errorMessage } from '../../../kernel/errors.ts';
import { endProcessTree } from '../../../process/end-tree.ts';
import { identityOf } from '../../../process/wait-for-end.ts';
import type { AgentExit } from '../agent-process.ts';
import { LastOutput } from './last-output.ts';
import type { HostCommand, HostReport, TerminalLaunch } from './protocol.ts';
import { type OpenTerminal, openTerminal } from './terminal.ts';

/**
 * The program that hosts one terminal. A process that holds a terminal hands it on to whatever it starts, so this one
 * starts nothing but the terminal's own program. Invariants:
 * 1. When its owner goes, the program on the terminal is ended with everything it started.
 * 2. All that the program wrote is on standard output before its exit is reported.
 * 3. The terminal is read no faster than the owner reads.
 */
class PtyHost {
  // Not `process.stdout`, whose writes may block: then nothing could be stopped while nobody reads.
  readonly #output = new Socket({ fd: 1, readable: false, writable: true });
  #terminal: OpenTerminal | undefined;
  #launch: TerminalLaunch | undefined;
  #last: LastOutput | undefined;
  #exit: AgentExit | undefined;

  listen(): void {
    // The owner is gone, which the closed channel says as well.
    this.#output.on('error', () => {});
    process.on('message', (command: HostCommand) => this.#obey(command));
    process.on('disconnect', () => void this.#endAll());
  }

  #obey(command: HostCommand): void {
    if (command.type === 'start') this.#start(command.launch);
    else if (this.#exit) return;
    else if (command.type === 'input') this.#terminal?.master.write(command.text);
    else this.#terminal?.resize(command.size);
  }

  #start(launch: TerminalLaunch): void {
    try {
      this.#launch = launch;
      this.#terminal = openTerminal(launch, (code, signal) => this.#exited(code, signal));
    } catch (error) {
      report({ type: 'failed', message: errorMessage(error) }, () => process.exit(1));
      return;
    }
    const { master, pid } = this.#terminal;
    report({ type: 'started', identity: identityOf(pid) });
    master.on('data', (chunk: Buffer) => this.#heard(chunk));
    master.on('error', () => this.#last?.end()).on('close', () => this.#last?.end());
  }

  #heard(chunk: Buffer): void {
    this.#write(this.#last ? this.#last.push(chunk) : chunk);
  }

  #write(bytes: Buffer): void {
    const master = this.#terminal?.master;
    if (bytes.length === 0 || this.#output.write(bytes) || master?.isPaused()) return;
    master?.pause();
    this.#output.once('drain', () => master?.resume());
  }

  #exited(code: number, signal: number): void {
    const terminal = this.#terminal;
    if (!terminal) return;
    this.#exit = signal > 0 ? { kind: 'killed', signal: signalName(signal) } : { kind: 'exited', code };
    this.#last = new LastOutput({
      slave: terminal.slave,
      mark: `\u001b_${randomBytes(16).toString('hex')}\u001b\\`,
      isRead: () => !terminal.master.isPaused(),
      onEnd: (rest) => this.#finish(rest),
    });
  }

  #finish(rest: Buffer): void {
    const exit = this.#exit;
    this.#terminal?.close();
    this.#output.end(rest, () => {
      if (exit) report({ type: 'exited', exit }, () => process.exit(0));
    });
  }

  async #endAll(): Promise<void> {
    if (this.#terminal && this.#launch) {
      await endProcessTree(identityOf(this.#terminal.pid), this.#launch.marker);
    }
    process.exit(1);
  }
}

/** Without an owner there is nobody to tell, and `#endAll` is what ends us then. */
function report(message: HostReport, then: () => void = () => {}): void {
  if (process.connected) process.send?.(message, then);
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? `signal ${number}`;
}

new PtyHost().listen();
