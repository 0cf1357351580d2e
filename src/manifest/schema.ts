import * as z from 'zod';
import type { JsonObject } from '../kernel/json.ts';
import { type PathStep, type Place, type ProblemReport, quote } from './problem.ts';
import { describeIssue, pathSteps } from './shape/issues.ts';
import { BODY_KEYS, bodyShape, dictionaryShape, isBody } from './shape/manifest.ts';
import { stageWorkflowShape } from './stages/shape.ts';

/** Reports everything that is wrong with the shape of the document; names and references come later. */
export function checkShape(document: JsonObject, report: ProblemReport): void {
  const body = isBody(document);
  const parsed = (body ? bodyShape : dictionaryShape).safeParse(document);
  const misplaced = new Set<string>();
  for (const issue of parsed.error?.issues ?? []) {
    const path = pathSteps(issue.path);
    const [top] = path;
    if (!body && typeof top === 'string' && BODY_KEYS.includes(top)) misplaced.add(top);
    else report.error(placeOf(path, body), describeIssue(issue, document));
  }
  for (const key of misplaced) {
    report.error(
      { path: [key] },
      `${quote(key)} is not a node. When ${quote(key)} stands at the top, the nodes belong under a "nodes" key beside it.`,
    );
  }
}

/** Names the node and the block that a path leads into. */
function placeOf(path: readonly PathStep[], body: boolean): Place {
  if (body && path[0] !== 'nodes') return { path };
  const [node, blocks, block] = body ? path.slice(1) : path;
  if (typeof node !== 'string') return { path };
  return blocks === 'blocks' && typeof block === 'string' ? { node, block, path } : { node, path };
}

/** The JSON Schema that editors check and complete a manifest with; accepts what `checkShape` accepts. */
export function manifestJsonSchema(): JsonObject {
  const { definitions } = z.toJSONSchema(
    z.object({ body: bodyShape, dictionary: dictionaryShape, stages: stageWorkflowShape }),
    { io: 'input', target: 'draft-7' },
  );
  return JSON.parse(
    JSON.stringify({
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'loopwright workflow manifest',
      description:
        'A graph of nodes and blocks: which worker runs, and where each signal leads; or a pipeline of stages.',
      type: 'object',
      // The same rule as isBody.
      if: {
        required: ['nodes'],
        properties: { nodes: { not: { type: 'object', required: ['entry_block'] } } },
      },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { $ref: '#/definitions/ManifestBody' },
      else: {
        // The same rule as isStageWorkflow.
        if: {
          required: ['stages'],
          properties: { stages: { not: { type: 'object', required: ['entry_block'] } } },
        },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { $ref: '#/definitions/StageWorkflow' },
        else: { $ref: '#/definitions/NodeDictionary' },
      },
      definitions,
    }),
  ) as JsonObject;
}
