import type { AgentConversation } from '../../agents/adapter.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { RosterEntry } from '../../manifest/definition.ts';
import { isModelName, whoRuns } from '../../manifest/model-name.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import type { Worker, WorkerResult } from '../../manifest/worker.ts';
import { failed } from '../answer.ts';
import { runModel } from '../model/run-model.ts';
import { adaptersOf, type WorkerServices } from '../services.ts';
import { inWorktree, type StepInTree } from '../step.ts';
import { conversationJson, lastConversation, readConversation } from './agent-run.ts';
import { type Blocked, blockedBy, blockedNote, parkOf, sinceDone, stillBlocked } from './blocked.ts';
import { ChangeWatch } from './changed-files.ts';
import { ALLOWS_ALL, checkEntry, entryFrom, parameterProblems } from './entry.ts';
import { limitsOf, settingsOf } from './job.ts';
import { renderPrompt } from './prompt.ts';
import { type RunSurroundings, resultOf, signalsOf, taskOfBlock } from './result.ts';
import { type JobEnd, runJob, wasCut } from './run-job.ts';
import { WaitClock } from './wait-clock.ts';
import { continuable, type TakenUp, withConversation } from './with-conversation.ts';

/** Runs an agent CLI on the session's folder. What the roster says can be overruled by the block's `with`. */
export function agentWorker(services: WorkerServices, entry: RosterEntry = {}, name = 'agent'): Worker {
  return {
    kind: whoRuns(entry).length > 0 && whoRuns(entry).every(isModelName) ? 'model' : 'agent',
    signalsFor: (parameters) => signalsOf({ ...entry, ...parameters }),
    ...(entry.persona === undefined ? {} : { persona: entry.persona }),
    checkRoster: (given) => checkEntry(services, given),
    checkWith: (parameters) => parameterProblems(services, entry, parameters),
    warnAboutWith: ({ permissions }) => (permissions === 'all' ? [ALLOWS_ALL] : []),
    run: inWorktree(services, `The agent "${name}"`, async (step) => {
      const { context, run } = step;
      const problems = parameterProblems(services, entry, context.contract.with);
      if (problems.length > 0) return failed(context, run, problems.join('\n'), { in: 'manifest' });
      return new AgentBlock(step, name).run(entryFrom(entry, context.contract.with));
    }),
  };
}

/** One execution of a block by an agent, or by the next one of its list. */
class AgentBlock {
  readonly #step: StepInTree;
  readonly #worker: string;
  readonly #notes: ProgressNote[];

  constructor(step: StepInTree, worker: string) {
    this.#step = step;
    this.#worker = worker;
    this.#notes = [...step.run.earlier];
  }

  /** The first agent of the list that is not blocked; when all are, the session parks until the first is free. */
  async run(entry: RosterEntry): Promise<WorkerResult> {
    const agents = whoRuns(entry);
    if (agents.length === 0) {
      const problem = `Worker "${this.#worker}" does not say which agent it is; give it an "agent" in the roster or in the block's "with".`;
      return failed(this.#step.context, this.#step.run, problem, { in: 'manifest' });
    }
    const watch = new ChangeWatch(this.#step.worktree);
    for (const agent of agents) {
      if (this.#blocked().has(agent)) continue;
      const { ended, calls } = isModelName(agent)
        ? await runModel(this.#step, agent, entry)
        : { ended: await this.#attempt(agent, entry), calls: undefined };
      if (wasCut(ended)) throw this.#cut(ended, agent);
      const blocked = this.#block(ended, agent);
      if (!blocked) return resultOf(ended, { ...this.#around(agent, entry, watch), calls });
    }
    const waiting = [...this.#blocked().values()].filter(({ agent }) => agents.includes(agent));
    const first = waiting.toSorted((a, b) => a.until - b.until)[0];
    if (!first) throw new Error('no agent was tried and none is blocked');
    return this.#step.run.park(new Date(first.until), `${first.agent}: ${first.reason}`, parkOf(first));
  }

  /** What a resume needs to continue where the agent was cut off. */
  #cut({ outcome: { conversation } }: JobEnd, agent: string): unknown {
    const task = this.#task;
    this.#step.run.progress({ type: 'task', task, status: 'PENDING' });
    if (conversation)
      this.#step.run.progress({
        type: 'conversation',
        task,
        agent,
        conversation: conversationJson(conversation),
      });
    return this.#step.run.cancel.reason;
  }

  #around(agent: string, entry: RosterEntry, watch: ChangeWatch): RunSurroundings {
    return { agent, worker: this.#worker, entry, watch, step: this.#step };
  }

  #attempt(agent: string, entry: RosterEntry): Promise<JobEnd> {
    const known = entry.conversation === 'fresh' ? undefined : this.#conversation(agent);
    const run = { agent, mode: entry.mode ?? 'headless', settings: settingsOf(entry) };
    const may = (id: string) => this.#step.run.continues?.(id) ?? 'yes';
    const taken = continuable(adaptersOf(this.#step.services), run, known, may);
    return withConversation(
      taken,
      (conversation) => this.#start(agent, entry, conversation),
      this.#step.run.cancel,
    );
  }

  #start(agent: string, entry: RosterEntry, taken: TakenUp | undefined): Promise<JobEnd> {
    const settings = settingsOf(entry);
    const job = {
      task: this.#task,
      name: this.#worker,
      agent,
      mode: entry.mode ?? 'headless',
      prompt: renderPrompt(this.#step.context, { way: entry.permissions === 'read' ? 'reads' : 'edits' }),
      extraArgs: entry.extraArgs ?? [],
      cwd: this.#step.worktree,
      env: entry.env ?? {},
      settings: { ...settings, ...taken },
      ...limitsOf(entry, this.#step.services.timeoutMs),
    } as const;
    return runJob(this.#step, job, new WaitClock(this.#step.run));
  }

  get #task(): string {
    return taskOfBlock(this.#step.context);
  }

  /** A run that was only cut off, else the last one that ended: its files are still what it left. */
  #conversation(agent: string): AgentConversation | undefined {
    const notes = sinceDone(this.#notes, this.#task);
    const own = notes.flatMap((note) =>
      (note.type === 'blocked' || note.type === 'conversation') && note.agent === agent ? [note] : [],
    );
    return (
      readConversation(own.at(-1)?.conversation) ??
      lastConversation(this.#step.context.execution_payload, this.#worker, agent)
    );
  }

  #block({ outcome, by }: JobEnd, agent: string): Blocked | undefined {
    // What a person has ended is not tried again, whatever the agent had said before.
    if (outcome.ok || !outcome.error || by !== 'itself') return undefined;
    const blocked = blockedBy(outcome.error, agent, sinceDone(this.#notes, this.#task), this.#now());
    if (!blocked) return undefined;
    const conversation = outcome.conversation && conversationJson(outcome.conversation);
    const note = blockedNote(blocked, { conversation });
    this.#notes.push(note);
    this.#step.run.progress(note);
    return blocked;
  }

  #blocked(): ReturnType<typeof stillBlocked> {
    return stillBlocked(this.#notes, this.#now());
  }

  #now(): number {
    return (this.#step.services.clock ?? systemClock).now();
  }
}
