import { type Answer, newId, PER_ANSWER, sse } from '../answer.ts';
import { isWish, readWish, textOf } from '../prompt.ts';
import { chooseTool } from '../tools.ts';

interface Request {
  readonly contents?: readonly { readonly role?: string; readonly parts?: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly generationConfig?: { readonly responseJsonSchema?: Schema; readonly responseSchema?: Schema };
}

interface Part {
  readonly functionResponse?: unknown;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
}

/** Gemini API: spoken by gemini. The model is in the path. */
export function answerGemini(request: Request, path: string): Answer {
  const contents = request.contents ?? [];
  const tools = (request.tools ?? []).flatMap((tool) =>
    (tool.functionDeclarations ?? []).map(({ name }) => name),
  );
  const users = contents.filter(({ role }) => role === 'user').map(({ parts }) => textOf(parts));
  const wish = readWish(users);
  const wished = contents.findLastIndex(({ role, parts }) => role === 'user' && isWish(textOf(parts)));
  const done = contents.slice(wished + 1).filter(({ parts = [] }) => parts.some(isResult)).length;
  const tool = chooseTool({ tools, folder: undefined, done }, wish);
  const schema = request.generationConfig?.responseJsonSchema ?? request.generationConfig?.responseSchema;
  const said = schema ? JSON.stringify(example(schema)) : `${wish.word}: wrote ${wish.file}`;
  const call = tool && {
    functionCall: { name: tool.name, args: tool.args, id: newId('fc_') },
    thoughtSignature: 'c2lnbmVk',
  };
  const parts = call ? [{ text: 'I will write the file.' }, call] : [{ text: said }];
  const model = /models\/([^:/]+)/.exec(path)?.[1] ?? 'unknown';
  const responseId = newId('r_');
  const chunk = (some: object[], finish: object) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: some }, ...finish }],
    usageMetadata: USAGE,
    modelVersion: model,
    responseId,
  });
  const end = { finishReason: 'STOP' };
  return {
    api: 'gemini',
    model,
    tools,
    prompts: users,
    tool: tool?.name,
    streamed: path.includes('streamGenerateContent'),
    json: chunk(parts, end),
    frames: [...parts.slice(0, -1).map((part) => sse(chunk([part], {}))), sse(chunk(parts.slice(-1), end))],
  };
}

function isResult({ functionResponse }: Part): boolean {
  return functionResponse !== undefined;
}

const USAGE = {
  promptTokenCount: PER_ANSWER.input,
  cachedContentTokenCount: PER_ANSWER.cached,
  candidatesTokenCount: PER_ANSWER.output,
  totalTokenCount: PER_ANSWER.input + PER_ANSWER.output,
};

/** The CLI asks a small model to choose the large one, and wants JSON of its own shape. */
function example(schema: Schema): unknown {
  const type = schema.type?.toLowerCase();
  if (schema.enum) return schema.enum[0];
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, one]) => [key, example(one)]));
  }
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return 1;
  return type === 'array' ? [] : 'x';
}
