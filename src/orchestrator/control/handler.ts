import { ConflictError } from '../../kernel/errors.ts';
import type { EventStream } from '../../kernel/events.ts';
import type { LiveTask } from '../../manifest/task.ts';
import type { EngineEvent } from '../events.ts';
import type { JournalPosition } from '../state/store.ts';
import { endTask } from './end-task.ts';
import { jsonEvent } from './json-event.ts';
import type { ControlReply, ControlRequest, TaskLine } from './protocol.ts';
import type { ControlHandler, ControlOutput } from './server.ts';

/** The running session as another terminal can reach it. */
export interface Reachable {
  readonly events: EventStream<EngineEvent>;
  tasks(): readonly TaskLine[];
  task(id: string): LiveTask;
  abort(reason: string): void;
  interrupt(reason: string): void;
  /** Where the journal ends now. */
  position(): JournalPosition;
}

/** One connection: single requests, then at most one terminal that stays attached to a task, or one that watches. */
export class Connection implements ControlHandler {
  readonly #session: Reachable;
  #attached: LiveTask | undefined;
  #detach: (() => void) | undefined;
  #catchUp: () => void = () => undefined;

  constructor(session: Reachable) {
    this.#session = session;
  }

  async handle(request: ControlRequest, out: ControlOutput): Promise<void> {
    const reply = (answer: ControlReply) => out.reply(answer);
    switch (request.do) {
      case 'tasks':
        return reply({ ok: true, tasks: this.#session.tasks() });
      case 'answer': {
        const task = this.#named(request.task, isWaiting);
        task.answer(request.text);
        return reply({ ok: true, task: task.id });
      }
      case 'complete':
      case 'stop': {
        const task = this.#named(request.task);
        await endTask(this.#session.events, task, request.do);
        return reply({ ok: true, task: task.id });
      }
      case 'abort':
        this.#session.abort(request.reason);
        return reply({ ok: true });
      case 'interrupt':
        this.#session.interrupt(request.reason);
        return reply({ ok: true });
      case 'watch':
        return this.#watch(out);
      case 'attach':
        return this.#attach(this.#named(request.task), out);
      case 'input':
        return this.#attached?.send(request.text);
      case 'resize':
        return this.#attached?.resize(request);
    }
  }

  drained(): void {
    this.#catchUp();
  }

  close(): void {
    this.#detach?.();
    this.#attached = undefined;
    this.#catchUp = () => undefined;
  }

  async #attach(task: LiveTask, out: ControlOutput): Promise<void> {
    this.#detach?.();
    this.#attached = task;
    // What arrives while the screen is being drawn is on it already, or follows it: nothing is lost between.
    let before: string[] | undefined = [];
    let behind = false;
    const paint = async (): Promise<void> => {
      before = [];
      const screen = await task.screen();
      out.reply({ raw: screen + before.join('') });
      before = undefined;
    };
    this.#detach = this.#session.events.subscribe((event) => {
      if (!('task' in event) || event.task !== task.id) return;
      if (event.type === 'task.output') {
        if (before) before.push(event.raw);
        else if (out.hasRoom()) out.reply({ raw: event.raw });
        else behind = true;
      } else if (event.type === 'task.status' && hasNoProcess(event.status)) {
        out.reply({ ended: event.status });
      }
    });
    // A terminal that stood still gets the screen as it is then, and not all that ran over it meanwhile.
    this.#catchUp = () => {
      if (behind && !before) void paint();
      behind = false;
    };
    out.reply({ ok: true, task: task.id });
    await paint();
  }

  /** From now on: what the journal says up to the position was before, and every event after it is sent or counted. */
  #watch(out: ControlOutput): void {
    this.#detach?.();
    let skipped = 0;
    out.reply({ ok: true, at: this.#session.position() });
    this.#detach = this.#session.events.subscribe((event) => {
      if (skipped === 0 && out.hasRoom()) out.reply({ event: jsonEvent(event) });
      else skipped++;
    });
    this.#catchUp = () => {
      if (skipped > 0) out.reply({ skipped, at: this.#session.position() });
      skipped = 0;
    };
  }

  /** The only one that comes into question when none is named. */
  #named(id: string | undefined, fits: (line: TaskLine) => boolean = () => true): LiveTask {
    if (id !== undefined) return this.#session.task(id);
    const tasks = this.#session.tasks();
    const wanted = tasks.filter(fits);
    const [only] = wanted;
    if (only && wanted.length === 1) return this.#session.task(only.id);
    const names = (wanted.length > 0 ? wanted : tasks).map((line) => line.id).join(', ');
    if (names === '') throw new ConflictError('No task of this session runs at the moment.');
    throw new ConflictError(
      wanted.length > 1 ? 'Several tasks run; say which one.' : 'No task waits for an answer.',
      { next: `Name one of: ${names}.` },
    );
  }
}

/** One that waits to be run again has another process then. */
function hasNoProcess(status: string): boolean {
  return status === 'DONE' || status === 'ERROR' || status === 'PENDING';
}

function isWaiting(line: TaskLine): boolean {
  return line.status === 'WAITING_FOR_USER';
}
