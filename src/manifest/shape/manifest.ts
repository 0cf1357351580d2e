import * as z from 'zod';
import { isJsonObject } from '../../kernel/json.ts';
import { nodeShape } from './block.ts';
import { jsonObject, orConfig, strictObject, variables } from './pieces.ts';

/** What a number of the roster must be that the configuration may say. */
export const rosterNumbers = { minutes: z.number().positive() };

export const rosterShape = strictObject({
  persona: z.string().exactOptional().describe('Who the worker is; joins the instructions of the block.'),
  command: z
    .array(z.string())
    .min(1)
    .exactOptional()
    .describe('A program: reads the context as JSON on standard input, answers in JSON on standard output.'),
  agent: z.string().min(1).exactOptional().describe('The agent CLI that does the work.'),
  agents: z
    .array(z.string().min(1))
    .min(1)
    .exactOptional()
    .describe('Agent CLIs in order of preference; the next one takes over on a spent quota.'),
  mode: z.enum(['headless', 'interactive']).exactOptional().describe('How the agent is run.'),
  model: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'The model for the agent to use; without an agent, provider/model: the model that does the work.',
    ),
  models: z
    .array(z.string().min(1))
    .min(1)
    .exactOptional()
    .describe('Models in order of preference, as provider/model; the next one takes over on a spent quota.'),
  permissions: z
    .enum(['read', 'ask', 'edits', 'all'])
    .exactOptional()
    .describe('What the agent may do without asking. Absent: edits.'),
  extraArgs: z
    .array(z.string())
    .exactOptional()
    .describe('Arguments for the CLI, after those of its adapter.'),
  env: variables.exactOptional().describe('Laid over the environment of the agent.'),
  maxTurns: z.int().min(1).exactOptional().describe('Turns of the model, where the CLI can limit them.'),
  maxTokens: z.int().min(1).exactOptional().describe('Tokens of one answer of a model. Absent: 16000.'),
  maxUsd: z.number().positive().exactOptional().describe('Money of one run, where the CLI can limit it.'),
  minutes: orConfig(rosterNumbers.minutes)
    .exactOptional()
    .describe('Active minutes after which a run is ended.'),
  silenceMinutes: z
    .number()
    .positive()
    .exactOptional()
    .describe('Minutes without output after which a run is ended.'),
  onTimeLimit: z
    .enum(['fail', 'signal'])
    .exactOptional()
    .describe('signal: a run ended for its time emits SIGNAL:TIMED_OUT, not SIGNAL:FAILURE. Absent: fail.'),
  conversation: z
    .enum(['continue', 'fresh'])
    .exactOptional()
    .describe("continue: later runs continue the agent's own conversation. Absent: continue."),
}).meta({ id: 'RosterEntry', description: 'What a worker name means, unless the program registers one.' });

export const budgetShape = strictObject({
  steps: z.int().min(0).exactOptional().describe('Block executions of the whole session. Absent: 1000.'),
  tokens: z.int().min(0).exactOptional().describe('Model tokens of the whole session.'),
  usd: z.number().min(0).exactOptional().describe('Money of the whole session, in US dollars.'),
  minutes: z.number().min(0).exactOptional().describe('Active minutes of the whole session.'),
});

const editorSchema = z.string().exactOptional().describe('The JSON Schema of this file, for editors.');

export const bodyShape = strictObject({
  $schema: editorSchema,
  description: z.string().exactOptional().describe('For the reader; the engine does not use it.'),
  nodes: z.record(z.string(), nodeShape).describe('The nodes by name.'),
  workers: z
    .record(z.string(), rosterShape)
    .exactOptional()
    .describe('The roster: worker names and what they mean.'),
  budget: budgetShape
    .exactOptional()
    .describe('What a session may spend, also across resumes; then it halts.'),
  gates: z
    .array(z.string().min(1))
    .exactOptional()
    .describe('Blocks whose last signal must be SIGNAL:SUCCESS before a session may complete.'),
  schemas: z
    .record(z.string(), jsonObject)
    .exactOptional()
    .describe('JSON Schemas that validationSchema can name. type "string" means plain text.'),
}).meta({ id: 'ManifestBody', description: 'Nodes with a roster, a budget, gates and schemas.' });

export const dictionaryShape = z
  .object({ $schema: editorSchema })
  .catchall(nodeShape)
  .meta({ id: 'NodeDictionary', description: 'The nodes by name, and nothing else.' });

/** Keys that tell the two shapes apart; a node may still have one of these names. */
export const BODY_KEYS = ['nodes', 'workers', 'budget', 'gates', 'schemas'];

/** Whether the document is `{ nodes, ... }` rather than a dictionary in which a node is called "nodes". */
export function isBody(document: object): boolean {
  if (!('nodes' in document)) return false;
  return !(isJsonObject(document.nodes) && 'entry_block' in document.nodes);
}
