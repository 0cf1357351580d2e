import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { validateOutput } from '../../manifest/output-schema.ts';
import type { ResolvedBlock } from '../../manifest/resolved.ts';
import { type ContextSegment, contentText, isFact } from '../../manifest/segment.ts';
import {
  FAIL_DEFAULT,
  FAILURE,
  signalOfValue,
  VALIDATION_FAIL,
  type WorkerRun,
} from '../../manifest/worker.ts';
import type { Outcome } from './outcome.ts';
import { byEngine } from './stamp-origins.ts';

type Answered = Extract<Outcome, { kind: 'answered' }>;

const REJECTED_TEXT_LIMIT = 64 * 1024;

/**
 * Checks what a worker added against the block's schema before anything downstream sees it. Valid output is
 * stored cleaned; invalid output never enters the history as what it claims to be, only inside the note that
 * says what was wrong, so no later block can write it to disk.
 */
export function checkOutput(
  block: ResolvedBlock,
  answered: Answered,
  schemas: { readonly [name: string]: JsonObject },
  run: WorkerRun,
): Answered {
  const schema = block.validationSchema === undefined ? undefined : schemas[block.validationSchema];
  if (!schema || answered.signal === FAILURE || answered.signal === FAIL_DEFAULT) return answered;
  const facts = answered.added.filter(isFact);
  const output = answered.added.filter((segment) => !isFact(segment));
  const decides = block.signalFrom !== undefined;
  const checked = output.map((segment) => ({
    segment,
    result: validateOutput(schema, segment.content, { decides }),
  }));
  const problems = checked.flatMap(({ segment, result }) =>
    result.ok ? [] : result.problems.map((problem) => `${segment.type} ${segment.id}: ${problem}`),
  );
  if (checked.length === 0) problems.push('the worker added no output');
  if (problems.length > 0) return rejected(block, answered, { output, facts, problems }, run);
  const added = checked.map(({ segment, result }) => (result.ok ? cleaned(segment, result.value) : segment));
  const signal = block.signalFrom === undefined ? answered.signal : signalFrom(block.signalFrom, added);
  return { ...answered, signal, added: [...facts, ...added] };
}

interface Rejected {
  readonly output: readonly ContextSegment[];
  readonly facts: readonly ContextSegment[];
  readonly problems: readonly string[];
}

function rejected(
  block: ResolvedBlock,
  answered: Answered,
  { output, facts, problems }: Rejected,
  run: WorkerRun,
): Answered {
  const shown = output.map((segment) => ({
    type: segment.type,
    text: contentText(segment).slice(0, REJECTED_TEXT_LIMIT),
  }));
  const content: JsonValue = { schema: block.validationSchema ?? '', problems, output: shown };
  const note = byEngine(block)(run.segment('VALIDATION_ERROR', content));
  return { ...answered, signal: VALIDATION_FAIL, added: [...facts, note] };
}

function cleaned(segment: ContextSegment, value: JsonValue): ContextSegment {
  return value === segment.content ? segment : Object.freeze({ ...segment, content: value });
}

/** The schema makes the field required and bounded, so after validation it is there. */
function signalFrom(field: string, added: readonly ContextSegment[]): string {
  const content = added.at(-1)?.content;
  const value = isJsonObject(content) ? content[field] : undefined;
  return value === undefined ? VALIDATION_FAIL : signalOfValue(value);
}
