import { deepFreeze, type JsonObject } from '../kernel/json.ts';

const fileOutput = {
  type: 'object',
  properties: { filePath: { type: 'string', minLength: 1 }, fileContent: { type: 'string' } },
  required: ['filePath', 'fileContent'],
};

/** What `validationSchema` can name without declaring it. */
export const builtInSchemas: { readonly [name: string]: JsonObject } = deepFreeze({
  /** Any text that says something. */
  text: { type: 'string', pattern: '\\S' },
  json: {},
  file_output: fileOutput,
  file_list: { type: 'array', items: { type: 'string', minLength: 1 } },
  files: { type: 'array', items: fileOutput },
});
