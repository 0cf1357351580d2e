import * as z from 'zod';
import { configFile } from '../config/config-file.ts';
import { SETTINGS, type Setting, type SettingValue } from '../config/runtime/table.ts';
import { userFile } from '../config/user/settings.ts';
import { isJsonObject, type JsonObject } from '../kernel/json.ts';
import { manifestJsonSchema } from '../manifest/schema.ts';
import { stageWorkflowShape } from '../manifest/stages/shape.ts';
import { documents, lines } from './documents.ts';
import { eventShapes } from './events.ts';
import { taskFile } from './task-file.ts';
import { API_VERSION } from './version.ts';

const DIALECT = 'http://json-schema.org/draft-07/schema#';

/** The JSON Schemas that are shipped, by file name, each made from the shapes that the program itself uses. */
export function jsonSchemas(): { readonly [file: string]: JsonObject } {
  return {
    'manifest.schema.json': manifestJsonSchema(),
    'pipeline.schema.json': titled('loopwright pipeline', schemaOf(stageWorkflowShape)),
    'config.schema.json': titled('loopwright configuration (.loopwright/config.json)', configSchema()),
    'user.schema.json': titled(
      'loopwright settings of a person ($XDG_CONFIG_HOME/loopwright/config.json)',
      schemaOf(userFile),
    ),
    'tasks.schema.json': titled('loopwright task file', schemaOf(taskFile)),
    'output.schema.json': outputSchema(),
  };
}

/** One definition per command and per type of event. */
function outputSchema(): JsonObject {
  const events = Object.entries(eventShapes).map(([type, shape]) => [`event ${type}`, shape] as const);
  const { definitions = {}, properties = {} } = schemaOf(
    z.object({ ...documents, ...lines, ...Object.fromEntries(events) }),
    'ref',
  ) as { readonly definitions?: JsonObject; readonly properties?: JsonObject };
  return {
    $schema: DIALECT,
    title: `loopwright --json, version ${API_VERSION}`,
    description:
      'What each command prints with --json. A command that streams prints one event per line and a result last. A field can be added within a version; the version grows when one goes or changes its meaning.',
    definitions: { ...definitions, ...properties },
  };
}

/** The settings of the runtime are read one by one; an editor wants to know them all the same. */
function configSchema(): JsonObject {
  const schema = schemaOf(configFile);
  const sections = Object.entries<{ readonly [name: string]: Setting<SettingValue> }>(SETTINGS).map(
    ([section, settings]) => [section, sectionSchema(settings)],
  );
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return { ...schema, properties: { ...properties, ...(Object.fromEntries(sections) as JsonObject) } };
}

function sectionSchema(settings: { readonly [name: string]: Setting<SettingValue> }): JsonObject {
  const properties = Object.entries(settings).map(([name, { kind, meaning, variable }]) => [
    name,
    { ...schemaOf(kind.value), description: `${meaning} (${variable})` },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) as JsonObject };
}

function titled(title: string, schema: JsonObject): JsonObject {
  return { $schema: DIALECT, title, ...schema };
}

function schemaOf(shape: z.ZodType, reused: 'inline' | 'ref' = 'inline'): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    reused,
  });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}
