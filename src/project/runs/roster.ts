import { UsageError } from '../../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { RosterEntry } from '../../manifest/definition.ts';
import { whoRuns } from '../../manifest/model-name.ts';
import { isBody } from '../../manifest/shape/manifest.ts';
import { isStageWorkflow } from '../../manifest/stages/compile.ts';
import { FOLDER, type Place } from '../place.ts';

export type Roster = { readonly [name: string]: RosterEntry };

/**
 * The manifest with the project's own workers in its roster: an entry of the project replaces what runs the
 * worker and keeps the rest. A document of the wrong shape is left as it is, for validation to speak about.
 */
export function withProjectWorkers(document: unknown, own: Roster): unknown {
  if (!isJsonObject(document) || isStageWorkflow(document) || Object.keys(own).length === 0) return document;
  const body: JsonObject = isBody(document) ? document : { nodes: withoutSchema(document) };
  const roster = body['workers'] ?? {};
  if (!isJsonObject(roster)) return document;
  const merged = Object.entries(own).map(([name, entry]) => [
    name,
    { ...kept(roster[name], entry), ...entry },
  ]);
  return { ...body, workers: { ...roster, ...Object.fromEntries(merged) } };
}

/** The same workflow with one agent in the place of everything that could be an agent. */
export function withAgent(document: unknown, agent: string): unknown {
  if (!isJsonObject(document)) return document;
  if (isStageWorkflow(document)) return withAdapter(document, agent);
  const roster = isBody(document) && isJsonObject(document['workers']) ? document['workers'] : {};
  if (Object.keys(roster).length === 0) {
    throw new UsageError('This workflow has no worker that an agent could be.', {
      next: 'Give it a "workers" roster, or name no agent.',
    });
  }
  const played = Object.entries(roster).map(([name, entry]) => [name, { ...kept(entry, { agent }), agent }]);
  return { ...document, workers: Object.fromEntries(played) };
}

function withAdapter(document: JsonObject, adapter: string): JsonObject {
  const stages = Array.isArray(document['stages']) ? document['stages'] : [];
  const played = stages.map((stage) =>
    isJsonObject(stage) && Array.isArray(stage['tasks'])
      ? { ...stage, tasks: stage['tasks'].map((task) => (isJsonObject(task) ? { ...task, adapter } : task)) }
      : stage,
  );
  return { ...document, stages: played };
}

/** Roster workers that blocks use and that nothing runs yet. */
export function unconfigured(document: unknown): string[] {
  if (!isJsonObject(document) || !isBody(document) || !isJsonObject(document['workers'])) return [];
  return Object.entries(document['workers'])
    .filter(
      ([, entry]) => isJsonObject(entry) && entry['command'] === undefined && whoRuns(entry).length === 0,
    )
    .map(([name]) => name);
}

export function notConfigured(name: string, project: Place): UsageError {
  const example = JSON.stringify({ workers: { [name]: { command: ['node', 'my-agent.mjs'] } } });
  return new UsageError(`Nothing says what runs the worker "${name}" of this workflow.`, {
    next: [
      'Name the agent that does it for this run, such as claude, codex, gemini or opencode.',
      `To always use one, put {"workers": {"${name}": {"agent": "claude"}}} into ${FOLDER}/config.json.`,
      `Or put a program into ${FOLDER}/config.json of ${project.dir}, such as`,
      `  ${example}`,
      'It gets the context as JSON on standard input and answers {"segments": [{"type", "content"}]} on standard output.',
    ].join('\n'),
  });
}

/** What says who does the work; a model beside an agent is the agent's. */
const RUNNERS = ['command', 'agent', 'agents', 'models'];

function kept(entry: unknown, own: RosterEntry): JsonObject {
  if (!isJsonObject(entry)) return {};
  if (own.command === undefined && whoRuns(own).length === 0) return entry;
  const isModel = entry['agent'] === undefined && entry['agents'] === undefined;
  const gone = isModel ? [...RUNNERS, 'model'] : RUNNERS;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !gone.includes(key)));
}

function withoutSchema({ $schema: _editor, ...nodes }: JsonObject): JsonObject {
  return nodes;
}
