// The page stays small: what the first screen loads, each part that is loaded later, and all of it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ui = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/ui');
const KB = 1000;
const LIMITS = { first: 160 * KB, css: 15 * KB, later: 160 * KB, all: 1500 * KB };

const files = readdirSync(join(ui, 'assets')).map((name) => {
  const path = join(ui, 'assets', name);
  return { name, raw: statSync(path).size, gz: gzipSync(readFileSync(path)).length };
});
const html = readFileSync(join(ui, 'index.html'), 'utf8');
const atOnce = files.filter(({ name }) => html.includes(name));
const later = files.filter((file) => !atOnce.includes(file) && file.name.endsWith('.js'));
const sum = (list, key) => list.reduce((all, file) => all + file[key], 0);
const rows = [
  [
    'scripts of the first screen, gz',
    sum(
      atOnce.filter(({ name }) => name.endsWith('.js')),
      'gz',
    ),
    LIMITS.first,
  ],
  [
    'styles of the first screen, gz',
    sum(
      atOnce.filter(({ name }) => name.endsWith('.css')),
      'gz',
    ),
    LIMITS.css,
  ],
  ['largest part that is loaded later, gz', Math.max(...later.map(({ gz }) => gz)), LIMITS.later],
  ['everything, raw', sum(files, 'raw'), LIMITS.all],
];
for (const [what, size, limit] of rows)
  console.log(`${size <= limit ? 'ok  ' : 'FAIL'} ${what}: ${Math.round(size / KB)} kB of ${limit / KB} kB`);
process.exit(rows.every(([, size, limit]) => size <= limit) ? 0 : 1);
