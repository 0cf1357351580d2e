// Writes the JSON Schemas that are shipped, from the same shapes that the program uses.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonSchemas } from '../dist/api/json-schemas.js';
import { openApi } from '../dist/api/routes/openapi.js';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'schema');
mkdirSync(folder, { recursive: true });
for (const [file, schema] of Object.entries({ ...jsonSchemas(), 'openapi.json': openApi() })) {
  writeFileSync(join(folder, file), `${JSON.stringify(schema, null, 2)}\n`);
}
