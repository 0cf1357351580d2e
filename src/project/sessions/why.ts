import { stripVTControlCharacters } from 'node:util';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import { type ContextSegment, contentText } from '../../manifest/segment.ts';
import { SUCCESS } from '../../manifest/worker.ts';
import type { SessionState, TrailEntry } from '../../orchestrator/state/session-state.ts';

/** What a halt is about, in the words of whoever failed: enough to act on without looking further. */
export interface Why {
  readonly block: string;
  readonly step: number;
  /** Its last failing lines, or what the provider of its agent said. */
  readonly lines: readonly string[];
  /** It is corrected in the workflow, not in the files. */
  readonly in?: 'manifest';
  /** The agent that could not work. */
  readonly agent?: AgentTrouble;
}

export interface AgentTrouble {
  readonly agent: string;
  /** By consequence, such as `auth`. */
  readonly kind: string;
  /** How to log in, in the words of its definition. */
  readonly login?: string;
}

const MOST_LINES = 15;
const LONGEST_LINE = 400;
/** Reasons behind which a block has failed; of the others the message says all there is. */
const FAILURES: ReadonlySet<string> = new Set(['flag', 'limit', 'gate']);

export function whyOf(state: SessionState): Why | undefined {
  const { halt } = state;
  if (!halt || !FAILURES.has(halt.reason)) return undefined;
  const culprit = lastFailure(state, halt.block);
  if (!culprit) return undefined;
  const own = state.history.from(culprit.block);
  const ofStep = own.filter(({ id }) => id.startsWith(`${culprit.step}.`));
  const segments = ofStep.length === 0 ? own : ofStep;
  const said = segments.findLast((segment) => isTrouble(segment));
  const agent = troubleIn(segments);
  if (!said && !agent) return undefined;
  const lines = said ? tellingLines(said) : [];
  return {
    block: culprit.block,
    step: culprit.step,
    lines,
    ...(said && 'in' in said && said.in === 'manifest' ? { in: 'manifest' } : {}),
    ...(agent ? { agent } : {}),
  };
}

/** The block that halted where it failed itself, else the last one that did: what its limit stopped a cure of. */
function lastFailure({ trail }: SessionState, block: string | null): TrailEntry | undefined {
  const ran = trail.toArray().filter((entry) => entry.ran);
  const own = ran.findLast((entry) => entry.block === block);
  return own && own.signal !== SUCCESS ? own : ran.findLast((entry) => entry.signal !== SUCCESS);
}

const ERRORS: ReadonlySet<string> = new Set(['ERROR', 'VALIDATION_ERROR', 'VERIFICATION_FAILURE']);

function isTrouble(segment: ContextSegment): boolean {
  if (ERRORS.has(segment.type) || segment.type.endsWith('_RESULT')) return true;
  if ('exit_code' in segment || ('outcome' in segment && segment.outcome === 'FAIL')) return true;
  return isFailedTask(segment);
}

function isFailedTask({ type, content }: ContextSegment): boolean {
  return type === 'TASK_OUTPUT' && isJsonObject(content) && content.ok === false;
}

/** An error says first what matters, a log last. */
function tellingLines(segment: ContextSegment): string[] {
  const { content } = segment;
  const task = isFailedTask(segment) && isJsonObject(content) ? content : undefined;
  const text = task ? taskText(task) : logText(segment);
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const chosen = task || ERRORS.has(segment.type) ? lines.slice(0, MOST_LINES) : lastFailing(lines);
  return chosen.map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}...` : line));
}

function taskText({ task, problem, output }: JsonObject): string {
  const said = [problem, output].find((each) => typeof each === 'string' && each !== '');
  return typeof task === 'string' && typeof said === 'string' ? `${task}: ${said}` : '';
}

/** A result with both streams is told by its output; anything else as it stands. */
function logText(segment: ContextSegment): string {
  const { content } = segment;
  if (!isJsonObject(content)) return contentText(segment);
  const parts = ['explanation', 'output', 'stdout', 'stderr'].map((key) => content[key]);
  const texts = parts.filter((part): part is string => typeof part === 'string' && part !== '');
  return texts.length === 0 ? contentText(segment) : texts.join('\n');
}

const BAD = /fail|error|not ok|✖|✗|×|assert|expected|exception|panic|not found|could not/i;

/** What every log of a test runner has, and none needs to be understood: frames of the runtime, counts, frames of TAP. */
const NOISE =
  /\(node:|node:internal|^\s*at .*\/node_modules\/|^\s*(?:#|ℹ) (?:tests|suites|pass|cancelled|skipped|todo|duration_ms)\b|^\s*(?:\.\.\.|---|1\.\.\d+)$|^\s*(?:duration_ms:|type: '|TAP version)/;

/** The end of a log; where nothing there is bad, what stands around the last bad line. */
function lastFailing(log: readonly string[]): string[] {
  const telling = log.filter((line) => !NOISE.test(line));
  const lines = telling.length === 0 ? log : telling;
  const last = lines.findLastIndex((line) => BAD.test(line));
  if (last < 0 || last >= lines.length - MOST_LINES) return lines.slice(-MOST_LINES);
  return lines.slice(Math.max(0, last - MOST_LINES + 4), last + 4);
}

/** Who could not work and why, as the run of the agent was recorded. */
function troubleIn(segments: readonly ContextSegment[]): AgentTrouble | undefined {
  for (const segment of segments.toReversed()) {
    const { content } = segment;
    const tells = isGenuine(segment, 'AGENT_RUN') || isGenuine(segment, 'TASK_OUTPUT');
    if (!tells || !isJsonObject(content) || !isJsonObject(content.error)) continue;
    const trouble = readTrouble(content, content.error);
    if (trouble) return trouble;
  }
  return undefined;
}

function readTrouble({ agent }: JsonObject, { kind, login }: JsonObject): AgentTrouble | undefined {
  if (typeof agent !== 'string' || typeof kind !== 'string') return undefined;
  return { agent, kind, ...(typeof login === 'string' ? { login } : {}) };
}
