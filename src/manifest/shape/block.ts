import * as z from 'zod';
import { jsonObject, orConfig, strictObject } from './pieces.ts';

export const transitionShape = strictObject({
  on_signal: z
    .string()
    .min(1)
    .describe(
      'The signal this transition answers, such as SIGNAL:SUCCESS. SIGNAL:FAIL_DEFAULT answers every signal that no other transition names.',
    ),
  action: z
    .string()
    .describe(
      'JUMP:<Block>, CALL:<Node>, CALL:<Node>:<ReturnBlock>, RETURN, RETURN:SIGNAL:<SIGNAL> or HALT_AND_FLAG.',
    ),
  guard: z.unknown().optional().describe('Reserved; ignored.'),
  bind_args: z.unknown().optional().describe('Reserved; ignored.'),
}).meta({ id: 'Transition', description: 'One emitted signal and the action it leads to.' });

/** What the numbers of `limits` must be, even where the configuration says them. */
export const limitNumbers = {
  visits: z.int().min(0),
  minutes: z.number().positive(),
  sameFailure: z.int().min(1),
  sameTool: z.int().min(2),
};

const limitsShape = strictObject({
  visits: orConfig(limitNumbers.visits)
    .exactOptional()
    .describe('At most this many executions in one call frame; 0 means never.'),
  minutes: orConfig(limitNumbers.minutes)
    .exactOptional()
    .describe('Active time in one call frame; halts and waiting for a person do not count.'),
  sameFailure: orConfig(limitNumbers.sameFailure)
    .exactOptional()
    .describe('Stop after this many equal failures in a row.'),
  sameTool: orConfig(limitNumbers.sameTool)
    .exactOptional()
    .describe('End an agent after this many equal calls of a tool, or equal failures. Absent: 12.'),
});

export const blockShape = strictObject({
  description: z.string().exactOptional().describe('For the reader; the engine does not use it.'),
  worker: z
    .string()
    .min(1)
    .describe(
      'What executes the block: a built-in Internal:* worker, a name of the roster or a registered worker.',
    ),
  payload_merge_strategy: z
    .array(z.string())
    .exactOptional()
    .describe(
      'What of the history the worker sees, in order: ALL, TYPE:<type>, LATEST:<type>, EXCLUDE:<type>, FROM:<Block>, MERGE:STATIC_MEMORY:<key>. Absent or empty: the whole history.',
    ),
  transitions: z
    .array(transitionShape)
    .describe('Where each signal leads. An empty list ends the session after this block.'),
  returns: z
    .array(transitionShape)
    .exactOptional()
    .describe(
      'Where the signals lead that a node called from this block returns: that of its last block, or X of RETURN:SIGNAL:X. One that is not listed goes on where the CALL says.',
    ),
  instructions: z
    .string()
    .exactOptional()
    .describe('The instructions for the worker. {{goal}}, {{inputs.name}} and {{config.key}} are filled in.'),
  answerFormat: z
    .string()
    .exactOptional()
    .describe(
      'How a worker answers that changes no files itself, such as a program: joins its instructions, as it stands. An agent is not sent it: what it changed is read from the folder.',
    ),
  with: jsonObject
    .exactOptional()
    .describe('Parameters of the worker. Texts in it may hold the same placeholders as instructions.'),
  artifacts: z
    .array(z.string().min(1))
    .exactOptional()
    .describe('Files of the working tree that the worker is shown.'),
  validationSchema: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'The schema the output must match: a name under "schemas", or text, json, file_output, file_list, files.',
    ),
  signalFrom: z
    .string()
    .min(1)
    .exactOptional()
    .describe('A required enum or boolean of the validated output; its value becomes the signal.'),
  reply: z
    .enum(['text', 'structured'])
    .exactOptional()
    .describe(
      'structured: an agent may answer with JSON { signal, segments } and nothing else. Absent: structured if a transition lists a signal that only such an answer can choose.',
    ),
  limits: limitsShape
    .exactOptional()
    .describe(
      'What the block may use up. At its limit SIGNAL:LIMIT_REACHED is taken, else the session halts.',
    ),
}).meta({ id: 'Block', description: 'One unit of execution.' });

export const nodeShape = strictObject({
  description: z.string().exactOptional().describe('For the reader; the engine does not use it.'),
  entry_block: z.string().min(1).describe('The block that runs first when the node is entered.'),
  context_inheritance: z
    .boolean()
    .exactOptional()
    .describe('false: blocks in here see no static memory of the calling nodes. Absent: true.'),
  static_memory: jsonObject
    .exactOptional()
    .describe('Rules and facts that every block of this node, and of the nodes it calls, is given.'),
  blocks: z
    .record(z.string(), blockShape)
    .describe(
      'The blocks by name. Their order decides where a CALL returns to and where a resumed halt continues.',
    ),
}).meta({ id: 'Node', description: 'A group of blocks with static memory and a context boundary.' });
