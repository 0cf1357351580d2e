// Writes the JSON Schema that editors check a manifest with, from the same shapes that validation uses.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestJsonSchema } from '../dist/manifest/schema.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
mkdirSync(join(root, 'schema'), { recursive: true });
writeFileSync(
  join(root, 'schema', 'manifest.schema.json'),
  `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`,
);
