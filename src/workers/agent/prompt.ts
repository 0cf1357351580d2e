import type { JsonObject } from '../../kernel/json.ts';
import { DataFrame } from '../../manifest/data-frame.ts';
import { isGenuine } from '../../manifest/origin.ts';
import { type ContextSegment, contentText, isFact } from '../../manifest/segment.ts';
import {
  type ArtifactFile,
  type Contract,
  type WorkerContext,
  wholeInstructions,
} from '../../manifest/worker.ts';
import { baselineWords } from '../../verification/baseline-words.ts';

/** One argument of a program may have 128 KiB on Linux; what the adapter adds must fit in beside it. */
const PROMPT_BUDGET = 100_000;
/** A model gets its prompt in a request. */
const MODEL_BUDGET = 400_000;

/** Where files have to change, so that it fits a block too that only wants to be told something. */
const EDITS =
  'You work in the current folder. Where files have to change, change them there yourself: what you changed is read from the folder.';
const READS = 'You work in the current folder: you can read all of it, and change nothing.';
const ANSWERS =
  'You change no files yourself. With your tools you can list, read and search the files of the project: read what you change.';
const REPLY =
  'Answer with one JSON object and nothing else: { "signal": "...", "segments": [{ "type": "...", "content": ... }] }. "signal" is one of';

/** What an agent or a model can do by itself. */
type Way = 'edits' | 'reads' | 'answers';
const WAYS: { readonly [W in Way]: string } = { edits: EDITS, reads: READS, answers: ANSWERS };

export interface PromptOptions {
  /** Absent: it edits. */
  readonly way?: Way;
  /** In bytes. */
  readonly budget?: number;
}

const BEGINNING =
  'You are one worker of a workflow. This is all you are told, in five parts: what happened before, your task, rules, files, and where you are.';

/**
 * The memory prompt of whoever answers with words: the five layers in their order of priority. What was said before
 * comes first, what is to be done now after it, so that the newest words are read last of the history and the task
 * stands behind all material of the run. The goal is always in it.
 */
export function renderPrompt(
  context: WorkerContext,
  { way = 'edits', budget = way === 'answers' ? MODEL_BUDGET : PROMPT_BUDGET }: PromptOptions = {},
): string {
  const { primary_artifact: files, execution_payload } = context;
  const segments = execution_payload.filter((segment) => !isBookkeeping(segment));
  const frame = new DataFrame([
    ...files.flatMap(({ content }) => content ?? []),
    ...segments.filter(isMaterial).map(bodyOf),
    context.system_metadata.goal,
  ]);
  const hasMaterial =
    files.some(({ content }) => content !== undefined) || segments.some(isMaterial) || !tellsGoal(context);
  const parts: Part[] = [
    ...kept(BEGINNING, hasMaterial ? frame.notice : undefined),
    ...segments.map((segment) => segmentPart(segment, frame)),
    ...contractParts(context, way),
    ...rulesPart(context.inherited_context),
    ...files.map((file) => filePart(file, frame)),
    ...systemPart(context, frame),
  ];
  return fitParts(parts, budget);
}

function kept(...texts: readonly (string | undefined)[]): Part[] {
  return texts.flatMap((text) => (text ? [{ text, keep: true }] : []));
}

/** What the block wants first, then who does it and how. */
function contractParts({ contract, system_metadata: { goal } }: WorkerContext, way: Way): Part[] {
  // Who changes no files can only answer with them.
  const answers = way !== 'edits';
  const said = answers ? wholeInstructions(contract) : contract.instructions;
  const reply =
    answers && (way === 'reads' ? contract.answerFormat !== undefined : isStructured(contract))
      ? `${REPLY} ${contract.reply.signals.join(', ')}.`
      : undefined;
  return kept(`# Your task\n${said ?? goal}`, contract.persona, WAYS[way], reply);
}

/**
 * Where the worker is, as the engine knows it, and what all of it is for. A goal that the task quotes is not told
 * twice; here nobody knows whose words it is, so it is framed.
 */
function systemPart(context: WorkerContext, frame: DataFrame): Part[] {
  const { goal, ...place } = context.system_metadata;
  const facts = Object.entries(place).map(([key, value]) => `- ${key}: ${value}`);
  const told = tellsGoal(context) ? [] : [`- goal: ${frame.around(goal)}`];
  return kept(`# System\n${[...facts, ...told].join('\n')}`);
}

function tellsGoal({ contract: { instructions }, system_metadata: { goal } }: WorkerContext): boolean {
  return instructions === undefined || instructions.includes(goal.trim());
}

/** Whether the answer of a block is read as JSON: it says so, or it says what files are to hold. */
export function isStructured({ reply, answerFormat }: Contract): boolean {
  return reply.structured || answerFormat !== undefined;
}

const NOT_MATERIAL = ['HUMAN_GUIDANCE', 'HUMAN_ANSWER', 'STATIC_MEMORY'];

/** Whatever neither a person nor the workflow says: logs, answers and errors quote whatever they like. */
function isMaterial(segment: ContextSegment): boolean {
  return !NOT_MATERIAL.some((type) => isGenuine(segment, type));
}

function rulesPart(rules: JsonObject): Part[] {
  const entries = Object.entries(rules);
  if (entries.length === 0) return [];
  const lines = entries.map(
    ([key, value]) => `- ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [{ text: `# Rules and facts\n${lines.join('\n')}`, keep: true }];
}

/** The agent can read the file itself, so its content is the first to go when room is short. */
function filePart(file: ArtifactFile, frame: DataFrame): Part {
  const title = `# File ${file.path}`;
  if (!file.exists) return { text: `${title}\n(not there yet)`, keep: true };
  if (file.content === undefined)
    return { text: `${title}\n(${file.unreadable ?? 'not shown'})`, keep: true };
  const text = `${title}\n${frame.around(file.content)}`;
  return { text, short: `${title}\n(read it in the folder)`, keep: false };
}

function segmentPart(segment: ContextSegment, frame: DataFrame): Part {
  const title = `# ${segment.type}`;
  const body = isMaterial(segment) ? frame.around(bodyOf(segment)) : contentText(segment);
  return { text: `${title}\n${body}`, title, keep: isError(segment) };
}

const KEPT = ['ERROR', 'VALIDATION_ERROR', 'HUMAN_GUIDANCE'];

/** What the checks printed before is read as they printed it. */
function bodyOf(segment: ContextSegment): string {
  return (
    (isGenuine(segment, 'BASELINE') ? baselineWords(segment.content) : undefined) ?? contentText(segment)
  );
}

/** What went wrong is why the agent is called: it is never shortened. */
function isError(segment: ContextSegment): boolean {
  if (KEPT.some((type) => isGenuine(segment, type))) return true;
  return 'outcome' in segment && segment.outcome === 'FAIL';
}

/** The agent's own edits are in the folder, and its usage is no news to it. */
function isBookkeeping(segment: ContextSegment): boolean {
  return isFact(segment);
}

/** A part of a prompt. `short` or, for a part with a `title`, its two ends can stand for it. */
interface Part {
  readonly text: string;
  readonly title?: string;
  readonly short?: string;
  /** Never shortened. */
  readonly keep: boolean;
}

const BETWEEN = '\n\n';
/** What stays of each end of a shortened part. */
const END = 600;

/** Joins the parts within a budget of bytes: the oldest that may be are shortened first, then left out. */
function fitParts(parts: readonly Part[], budget: number): string {
  const texts = parts.map((part) => part.text);
  let size = texts.reduce((sum, text) => sum + bytes(text) + BETWEEN.length, 0);
  for (const shorten of [withEnds, withoutBody]) {
    for (const [index, part] of parts.entries()) {
      if (size <= budget) return texts.join(BETWEEN);
      if (part.keep) continue;
      const before = texts[index] ?? '';
      const after = shorten(part);
      if (bytes(after) >= bytes(before)) continue;
      texts[index] = after;
      size -= bytes(before) - bytes(after);
    }
  }
  return texts.join(BETWEEN);
}

function withEnds(part: Part): string {
  if (part.short !== undefined) return part.short;
  const characters = Array.from(part.text);
  if (characters.length <= 3 * END) return part.text;
  const left = characters.length - 2 * END;
  const [head, tail] = [characters.slice(0, END).join(''), characters.slice(-END).join('')];
  return `${head}\n[... ${left} characters left out ...]\n${tail}`;
}

function withoutBody(part: Part): string {
  return part.short ?? `${part.title ?? ''}\n(left out: no room)`;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
