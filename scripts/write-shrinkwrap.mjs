// Called while a package is packed: it then brings along the exact versions it was tested with. `--remove` takes the
// file away again, because npm would prefer it to package-lock.json here.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'npm-shrinkwrap.json');

if (process.argv.includes('--remove')) rmSync(file, { force: true });
else {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { '': own, ...others } = lock.packages;
  const { devDependencies: _dev, ...top } = own;
  const shipped = Object.entries(others).filter(([, { dev }]) => dev !== true);
  const packages = { '': top, ...Object.fromEntries(shipped) };
  writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
}
