import type { JsonObject } from '../../kernel/json.ts';
import { type ContextSegment, contentText, isFact } from '../../manifest/segment.ts';
import type { ArtifactFile, WorkerContext } from '../../manifest/worker.ts';
import { fitParts, type Part } from './fit-parts.ts';

/** One argument of a program may have 128 KiB on Linux; what the adapter adds must fit in beside it. */
const PROMPT_BUDGET = 100_000;

const HOW_TO_WORK =
  'You work in the current folder and change its files yourself. Where CODE_OUTPUT segments are asked for, change the files instead: what you changed is read from the folder. End with a short account of what you did.';

/** The assembled context as one prompt: who, what, rules, files, history, the newest last. */
export function renderPrompt(context: WorkerContext, budget = PROMPT_BUDGET): string {
  const { contract, inherited_context: rules, primary_artifact: files, execution_payload } = context;
  const fixed = [contract.persona, contract.instructions ?? context.system_metadata.goal, HOW_TO_WORK];
  const parts: Part[] = [
    ...fixed.flatMap((text) => (text ? [{ text, keep: true }] : [])),
    ...rulesPart(rules),
    ...files.map(filePart),
    ...execution_payload.filter((segment) => !isBookkeeping(segment)).map(segmentPart),
  ];
  return fitParts(parts, budget);
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
function filePart(file: ArtifactFile): Part {
  const title = `# File ${file.path}`;
  if (!file.exists) return { text: `${title}\n(not there yet)`, keep: true };
  if (file.content === undefined)
    return { text: `${title}\n(${file.unreadable ?? 'not shown'})`, keep: true };
  return { text: `${title}\n${file.content}`, short: `${title}\n(read it in the folder)`, keep: false };
}

function segmentPart(segment: ContextSegment): Part {
  const title = `# ${segment.type}`;
  const body = contentText(segment);
  return { text: `${title}\n${body}`, title, keep: isError(segment) };
}

/** What went wrong is why the agent is called: it is never shortened. */
function isError(segment: ContextSegment): boolean {
  if (segment.type === 'ERROR' || segment.type === 'VALIDATION_ERROR' || segment.type === 'HUMAN_GUIDANCE')
    return true;
  return 'outcome' in segment && segment.outcome === 'FAIL';
}

/** The agent's own edits are in the folder, and its usage is no news to it. */
function isBookkeeping(segment: ContextSegment): boolean {
  return isFact(segment);
}
