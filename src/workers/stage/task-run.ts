import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentOutcome } from '../../agents/run-agent.ts';
import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { DataFrame } from '../../manifest/data-frame.ts';
import { isGenuine } from '../../manifest/origin.ts';
import { renderLate } from '../../manifest/placeholders.ts';
import type { WorkflowTask } from '../../manifest/stages/definition.ts';
import { readInTree } from '../../workspace/tree-reader.ts';
import { conversationJson, errorJson, readConversation } from '../agent/agent-run.ts';
import { loginWords } from '../agent/authority.ts';
import { blockedBy, blockedNote, conversationsOf, sinceDone } from '../agent/blocked.ts';
import { type AgentTask, limitsOf, settingsOf } from '../agent/job.ts';
import { exitNote, isLeftToChecks, whyNot } from '../agent/result.ts';
import { type JobEnd, runJob, wasCut } from '../agent/run-job.ts';
import type { WaitClock } from '../agent/wait-clock.ts';
import { continuable, type TakenUp, withConversation } from '../agent/with-conversation.ts';
import { adaptersOf } from '../services.ts';
import type { StepInTree } from '../step.ts';
import { noteOf, recordIn, TASK_OUTPUT, type TaskRecord } from './record.ts';

/** What a later prompt can take over of a task's output; the whole of it is in its log. */
const LONGEST_OUTPUT = 64 * 1024;

const HUMAN_GUIDANCE = 'HUMAN_GUIDANCE';

interface Material {
  readonly text: string | undefined;
  /** What stands in its place when there is none. */
  readonly missing: string;
}

/** One task of a stage from its prompt to its note in the journal. */
export class TaskRun {
  readonly #step: StepInTree;
  readonly #clock: WaitClock;

  constructor(step: StepInTree, clock: WaitClock) {
    this.#step = step;
    this.#clock = clock;
  }

  /** Rejects when the task cannot be started or breaks. */
  async run(task: WorkflowTask, cancel: AbortSignal): Promise<TaskRecord> {
    const cancelled = AbortSignal.any([this.#step.run.cancel, cancel]);
    try {
      const job = await this.#job(task, cancelled);
      const start = (taken: TakenUp | undefined): Promise<JobEnd> =>
        runJob(this.#step, { ...job, settings: { ...job.settings, ...taken } }, this.#clock);
      const ended = await withConversation(this.#conversation(task), start, cancelled);
      return await this.#settle(task, ended, cancelled);
    } catch (error) {
      // Cut off from outside, it has not happened.
      const of = { type: 'task', task: task.id } as const;
      if (cancelled.aborted) this.#step.run.progress({ ...of, status: 'PENDING' });
      else this.#step.run.progress({ ...of, status: 'ERROR', problem: errorMessage(error) });
      throw error;
    }
  }

  async #job(task: WorkflowTask, cancel: AbortSignal): Promise<AgentTask> {
    const { id, adapter, name = id, executionMode = 'interactive', extraArgs = [], env = {} } = task;
    const prompt = (task.prompt ?? '').trim() === '' ? undefined : await this.#prompt(task.prompt ?? '');
    return {
      task: id,
      name,
      agent: adapter,
      mode: executionMode,
      prompt,
      extraArgs,
      cwd: join(this.#step.worktree, task.cwd ?? ''),
      env,
      settings: settingsOf(task),
      cancel,
      ...limitsOf(task, this.#step.services.timeoutMs),
    };
  }

  /** The one that this task had before it was parked, cut off or retried, if its CLI can continue one. */
  #conversation(task: WorkflowTask): TakenUp | undefined {
    const { id, adapter, executionMode = 'interactive' } = task;
    const noted = conversationsOf(this.#step.run.earlier, id).at(-1);
    const run = { agent: adapter, mode: executionMode, settings: settingsOf(task) };
    const may = (conversation: string) => this.#step.run.continues?.(conversation) ?? 'yes';
    return continuable(adaptersOf(this.#step.services), run, readConversation(noted), may);
  }

  /** Specifications of earlier stages reach this one here, and what a person said since the last one ended. */
  async #prompt(text: string): Promise<string> {
    const root = await realpath(this.#step.worktree);
    const found = new Map<string, Material>();
    await renderLate(text, async (kind, rest) => {
      found.set(`${kind}.${rest}`, await this.#material(root, kind, rest));
      return '';
    });
    const frame = new DataFrame([...found.values()].flatMap((material) => material.text ?? []));
    const rendered = await renderLate(text, async (kind, rest) => {
      const material = found.get(`${kind}.${rest}`);
      return material?.text === undefined ? (material?.missing ?? '') : frame.around(material.text);
    });
    return [rendered, ...(rendered === text ? [] : [frame.notice]), ...this.#guidance()].join('\n\n');
  }

  /** What files and earlier tasks give to a prompt: material, and never an instruction of ours. */
  async #material(root: string, kind: string, rest: string): Promise<Material> {
    if (kind === 'files') {
      const { content, exists } = await readInTree(root, rest);
      return { text: content, missing: `(the file ${rest} ${exists ? 'cannot be read' : 'is not there'})` };
    }
    const cut = rest.lastIndexOf('.');
    const [from, what] = [rest.slice(0, cut), rest.slice(cut + 1)];
    const record = this.#earlier(from);
    return {
      text: what === 'files' ? record?.files.join('\n') : record?.output,
      missing: `(task ${from} has not run)`,
    };
  }

  #error({ adapter }: WorkflowTask, { error }: AgentOutcome): Pick<TaskRecord, 'agent' | 'error'> {
    return error ? { agent: adapter, error: errorJson(error, loginWords(this.#step.services, adapter)) } : {};
  }

  #guidance(): string[] {
    const payload = this.#step.context.execution_payload;
    const said = payload.slice(payload.findLastIndex((segment) => !isGenuine(segment, HUMAN_GUIDANCE)) + 1);
    const texts = said.map(({ content }) =>
      typeof content === 'string' ? content : JSON.stringify(content),
    );
    return texts.filter((text) => text !== '').map((text) => `# ${HUMAN_GUIDANCE}\n${text}`);
  }

  #earlier(task: string): TaskRecord | undefined {
    const segments = this.#step.context.execution_payload.filter((segment) =>
      isGenuine(segment, TASK_OUTPUT),
    );
    return segments.map((segment) => recordIn(segment.content)).findLast((record) => record?.task === task);
  }

  async #settle(task: WorkflowTask, { outcome, by }: JobEnd, cancelled: AbortSignal): Promise<TaskRecord> {
    const now = (this.#step.services.clock ?? systemClock).now();
    const earlier = sinceDone(this.#step.run.earlier, task.id);
    const blocked = outcome.error && blockedBy(outcome.error, task.adapter, earlier, now);
    const base = {
      task: task.id,
      output: outcome.text.slice(-LONGEST_OUTPUT),
      files: outcome.files.map(({ path }) => path),
    };
    const conversation = outcome.conversation && conversationJson(outcome.conversation);
    if (wasCut({ outcome, by })) {
      if (conversation) this.#step.run.progress({ type: 'conversation', task: task.id, conversation });
      throw cancelled.reason;
    }
    if (blocked && by === 'itself') {
      this.#step.run.progress({ type: 'task', task: task.id, status: 'PENDING' });
      this.#step.run.progress(blockedNote(blocked, { task: task.id, conversation }));
      return { ...base, ok: false, blocked };
    }
    const leftToChecks = isLeftToChecks(outcome, by, this.#step.run, base.files.length);
    const ok = by === 'complete' || (by === 'itself' && (outcome.ok || leftToChecks));
    const problem = ok ? {} : { problem: whyNot(task.adapter, outcome, by), ...this.#error(task, outcome) };
    const record: TaskRecord = { ...base, ok, ...exitNote(outcome.end), ...problem };
    // The files first: a task that counts as done finds its work again.
    await this.#step.run.checkpoint(task.id);
    this.#step.run.progress(noteOf(record, conversation));
    return record;
  }
}
