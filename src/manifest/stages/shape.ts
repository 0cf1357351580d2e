import * as z from 'zod';
import { AGENT_NAMES } from '../../kernel/agent-names.ts';
import { budgetShape } from '../shape/manifest.ts';
import { strictObject, variables } from '../shape/pieces.ts';
import { GATE_NAMES } from './definition.ts';

/** Also part of the name of a checkpoint and of a log file. */
const ID = /^(?!.*--)[0-9A-Za-z][0-9A-Za-z_.-]{0,63}$/;
const id = z
  .string()
  .regex(ID, 'must begin with a letter or digit and hold only letters, digits, ., _ and single -');
const positive = z.number().positive();

const taskShape = strictObject({
  id: id.describe('Names the task; unique in the whole pipeline.'),
  adapter: z
    .string()
    .min(1)
    .describe(`The agent: ${AGENT_NAMES.join(', ')} or one of your own.`),
  executionMode: z
    .enum(['interactive', 'headless'])
    .exactOptional()
    .describe(
      'interactive: on a terminal that a person can attach to. headless: runs to its end. Absent: interactive.',
    ),
  prompt: z
    .string()
    .exactOptional()
    .describe(
      'The prompt for the agent. {{goal}}, {{inputs.x}}, {{tasks.<id>.output}}, {{tasks.<id>.files}} and {{files.<path>}} are filled in.',
    ),
  extraArgs: z
    .array(z.string())
    .exactOptional()
    .describe('Arguments for the CLI, after those of the adapter.'),
  cwd: z.string().min(1).exactOptional().describe("Where it runs, inside the session's folder."),
  env: variables.exactOptional().describe('Laid over the environment.'),
  name: z.string().min(1).exactOptional().describe('What it is called on the screen. Absent: its id.'),
  model: z.string().min(1).exactOptional().describe('The model for the agent to use.'),
  permissions: z
    .enum(['read', 'ask', 'edits', 'all'])
    .exactOptional()
    .describe('What the agent may do without asking. Absent: edits.'),
  maxTurns: z.int().min(1).exactOptional().describe('Turns of the model, where the CLI can limit them.'),
  maxUsd: positive.exactOptional().describe('Money of one run, where the CLI can limit it.'),
  minutes: positive.exactOptional().describe('Active minutes after which it is ended.'),
  silenceMinutes: positive.exactOptional().describe('Minutes without output after which it is ended.'),
}).meta({ id: 'StageTask', description: 'One agent process of a stage.' });

const shared = {
  concurrency: z.int().min(1).exactOptional().describe('How many tasks run at once. Absent: all of them.'),
  continueOnFailure: z
    .boolean()
    .exactOptional()
    .describe('Go on although a task did not end well. Absent: the pipeline halts for a person.'),
};

const stageShape = strictObject({
  id: id.exactOptional().describe('The name of the stage. Absent: Stage1, Stage2, ...'),
  description: z.string().exactOptional().describe('For the reader.'),
  tasks: z.array(taskShape).min(1).describe('The tasks that run side by side.'),
  ...shared,
}).meta({ id: 'Stage', description: 'Tasks that run side by side; the next stage waits for all of them.' });

export const stageWorkflowShape = strictObject({
  $schema: z.string().exactOptional().describe('The JSON Schema of this file, for editors.'),
  id: id.exactOptional().describe('The name of the pipeline.'),
  description: z.string().exactOptional().describe('For the reader.'),
  goal: z.string().exactOptional().describe('What a session is called that was started without a goal.'),
  stages: z.array(stageShape).min(1).describe('The stages in their order.'),
  gates: z
    .array(z.enum(GATE_NAMES))
    .min(1)
    .exactOptional()
    .describe(
      'Commands of the project (test, lint, build) that run after the last stage. The session completes only if each passes on the very files that are delivered.',
    ),
  budget: budgetShape.exactOptional().describe('What a session may spend, also across resumes.'),
  ...shared,
}).meta({
  id: 'StageWorkflow',
  description: 'A pipeline: stages one after the other, their tasks side by side.',
});

/** The parameters of `Internal:RunStage`, for a graph that holds a stage itself. */
export const stageParametersShape = strictObject({
  tasks: z.array(taskShape).min(1),
  concurrency: shared.concurrency,
});
