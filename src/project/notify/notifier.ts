import type { NotifyEvent, NotifySettings } from '../../config/notify.ts';
import type { Action } from '../../kernel/action.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Masker } from '../../kernel/mask.ts';
import type { Environment } from '../../process/child-env.ts';
import { environmentFor } from '../../process/environment.ts';
import { describeEnd } from '../../process/outcome.ts';
import { runProcess } from '../../process/run.ts';

/** What a person is told, as it is handed to their program or address. */
export interface Notification {
  readonly event: NotifyEvent;
  /** What it is about: the goal of a session, the title of a task. */
  readonly title: string;
  readonly message: string;
  readonly session?: string;
  readonly task?: string;
  /** What can be done about it. */
  readonly actions?: readonly Action[];
}

export interface NotifyBy {
  readonly projectDir: string;
  readonly settings: NotifySettings;
  readonly env: Environment;
  readonly masker: Masker;
}

const COMMAND_MS = 30_000;
const WEBHOOK_MS = 10_000;
/** A program that shows something needs to find the screen. */
const SCREEN = ['DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'];

/** Tells a person who is somewhere else. What goes wrong with it is kept to be told, and stops nothing. */
export class Notifier {
  readonly #by: NotifyBy;
  readonly #sending = new Set<Promise<void>>();
  readonly #problems: string[] = [];

  constructor(by: NotifyBy) {
    this.#by = by;
  }

  get parkedMs(): number {
    return this.#by.settings.parkedMs;
  }

  send(notification: Notification): void {
    const { settings, masker, projectDir } = this.#by;
    if (!settings.events.includes(notification.event)) return;
    const body = masker.mask(JSON.stringify({ ...notification, project: projectDir, at: Date.now() }));
    if (settings.command) this.#track('command', this.#run(settings.command, body));
    if (settings.webhook) this.#track('webhook', this.#post(settings.webhook, body));
  }

  /** Waits for what is on its way; gives what went wrong since the last time, in words. */
  async settle(): Promise<string[]> {
    await Promise.all(this.#sending);
    return this.#problems.splice(0);
  }

  #track(what: string, sending: Promise<void>): void {
    const told = sending
      .catch((error: unknown) => void this.#problems.push(`notify.${what} failed: ${errorMessage(error)}`))
      .finally(() => this.#sending.delete(told));
    this.#sending.add(told);
  }

  async #run(argv: readonly string[], input: string): Promise<void> {
    const { env, masker, projectDir } = this.#by;
    const outcome = await runProcess({
      argv,
      cwd: projectDir,
      env: environmentFor('program', env, SCREEN),
      masker,
      streams: 'merged',
      input,
      timeoutMs: COMMAND_MS,
    });
    if (outcome.kind === 'exited' && outcome.code === 0) return;
    throw new Error(`${argv[0]} ${describeEnd(outcome)}`);
  }

  async #post({ url, header, secret }: NonNullable<NotifySettings['webhook']>, body: string): Promise<void> {
    if (secret && secret.value === undefined)
      throw new Error(`the variable ${secret.variable} for its secret is not set; nothing was sent`);
    const headers = {
      'content-type': 'application/json',
      ...(secret?.value === undefined ? {} : { [header]: secret.value }),
    };
    // The secret goes to the address that was named, and to none that this one names.
    const signal = AbortSignal.timeout(WEBHOOK_MS);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`${new URL(url).host} answered ${answer.status}`);
  }
}
