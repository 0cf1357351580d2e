import type { AgentErrorKind } from '../../agents/event.ts';
import type { AgentOutcome } from '../../agents/run-agent.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Asked, MadeCall } from '../../models/ask-model.ts';
import type { CallListener, ModelRequest, ToolUse } from '../../models/call.ts';
import type { ModelErrorKind } from '../../models/model-error.ts';
import { LogFile } from '../../process/log-file.ts';
import { taskOfBlock } from '../agent/result.ts';
import type { JobEnd } from '../agent/run-job.ts';
import type { StepInTree } from '../step.ts';
import { callRecord, priceOf, writeRecord } from './call-log.ts';
import { toolLine } from './tools.ts';

export interface ModelRun {
  readonly ended: JobEnd;
  /** Every call with its key and how it ended, in order. */
  readonly calls: readonly JsonObject[];
}

/** What is said about the calls of a step while they go on. */
export class Told implements CallListener {
  readonly #step: StepInTree;
  readonly #model: string;
  readonly #request: ModelRequest;
  readonly #task: string;
  readonly #log: LogFile | undefined;
  readonly #mask;
  readonly #calls: JsonObject[] = [];
  #uses: ToolUse[] = [];
  #used = { tokens: 0, usd: 0, estimated: true };

  constructor(step: StepInTree, model: string, request: ModelRequest) {
    this.#step = step;
    this.#model = model;
    this.#request = request;
    this.#task = taskOfBlock(step.context);
    this.#mask = step.services.masker.stream();
    const file = step.run.logFile(`${this.#task}.log`);
    this.#log = file === undefined ? undefined : new LogFile(file);
  }

  started(): void {
    const { run, services } = this.#step;
    const [task, agent] = [this.#task, this.#model];
    run.progress({ type: 'task', task, status: 'RUNNING', agent, mode: 'headless' });
    const text = services.masker.mask(this.#request.prompt);
    run.progress({ type: 'said', task, said: 'prompt', text, at: Date.now() });
    run.tell({ type: 'task.started', task, name: task, agent, mode: 'headless' });
  }

  text(piece: string): void {
    this.#show(this.#mask.push(piece));
  }

  tool(use: ToolUse): void {
    this.#uses.push(use);
    this.#show(this.#mask.push(`\n${toolLine(use.name, use.input)}\n`));
  }

  tokens(count: Parameters<CallListener['tokens']>[0]): void {
    const { run, services } = this.#step;
    const usd = priceOf(this.#model, count, services.prices);
    const usage = { tokens: count.input + count.output, usd: usd ?? 0 };
    this.#used = { ...this.#used, tokens: this.#used.tokens + usage.tokens, usd: this.#used.usd + usage.usd };
    run.tell({ type: 'task.usage', task: this.#task, usage, estimated: true });
    run.usage({ ...usage, ...(usd === undefined ? { unpriced: this.#model } : {}) });
  }

  called(call: MadeCall): void {
    const { context, run, services } = this.#step;
    const { session_id: session, step, block_id: block } = context.system_metadata;
    const around = {
      request: this.#request,
      used: this.#uses,
      prices: services.prices,
      where: { session, step, block },
    };
    this.#uses = [];
    const file = run.logFile(`${this.#task}.call.json`);
    if (file !== undefined) writeRecord(file, callRecord(call, around), services.masker);
    const { key, end } = call;
    const error = end.ok ? undefined : `${end.error.kind}: ${services.masker.mask(end.error.message)}`;
    this.#calls.push({
      model: call.model,
      key,
      ms: end.ms,
      ...(error === undefined ? { ok: true } : { error }),
    });
    if (error !== undefined) this.#show(`\n[${call.model} with ${key}: ${error}]\n`);
  }

  ended(asked: Asked | undefined, end: JobEnd['outcome']['end']): ModelRun {
    const { masker } = this.#step.services;
    this.#show(this.#mask.end());
    const error =
      asked === undefined || asked.ok
        ? undefined
        : ({
            type: 'error',
            kind: KINDS[asked.error.kind],
            message: masker.mask(asked.error.message),
            ...reset(asked.error),
          } as const);
    const outcome: AgentOutcome = {
      ok: asked?.ok === true,
      finished: false,
      blocked: false,
      end,
      text: asked?.ok ? masker.mask(asked.text) : '',
      error,
      denied: [],
      files: [],
      used: this.#used,
      web: { fetched: [], searched: [] },
      conversation: undefined,
    };
    return { ended: { outcome, by: 'itself' }, calls: this.#calls };
  }

  close(): void {
    this.#log?.close();
  }

  #show(text: string): void {
    if (text === '') return;
    this.#log?.writeText(text);
    this.#step.run.tell({ type: 'task.output', task: this.#task, raw: text, clean: text });
    this.#step.run.output(text);
  }
}

function reset({ resetAt }: { readonly resetAt?: number }): { readonly resetAt?: number } {
  return resetAt === undefined ? {} : { resetAt };
}

/** What follows from an error is the same for a model as for an agent. */
const KINDS: { readonly [K in ModelErrorKind]: AgentErrorKind } = {
  quota: 'quota',
  auth: 'auth',
  overloaded: 'overloaded',
  network: 'network',
  cut: 'network',
  context: 'refused',
  refused: 'refused',
  'unknown-model': 'refused',
  length: 'refused',
  turns: 'refused',
  malformed: 'crash',
  other: 'crash',
};
