// Imports go down only. Reads every import with a real parser and refuses one that points upward.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(root, 'src');

/** Top first. A layer may import itself and everything below it. */
const layers = [
  'cli',
  'server',
  'project',
  'api',
  'tasks',
  'orchestrator',
  'workers',
  'verification',
  'workspace',
  'models',
  'agents',
  'store',
  'backlog',
  'manifest',
  'config',
  'process',
  'kernel',
];
/** What a face may import besides itself; of the manifest language only its types. */
const faces = new Set(['cli', 'server']);
const forFaces = new Set(['project', 'api', 'kernel']);

/** One face starts the other, in one place: the command that serves. */
const starts = new Map([['cli/commands/server/ui.ts', 'server/serve.ts']]);

/** Narrower than the order: what must not be reached although it lies below. */
const forbidden = [
  ['orchestrator/engine', 'workers', 'the engine finds workers through a registry'],
  ['orchestrator/state', 'orchestrator/engine', 'state is stored without knowing how it came about'],
  ['manifest', 'config', 'the manifest language is pure'],
  ['manifest', 'process', 'the manifest language is pure'],
  ['backlog', 'config', 'the rules of the backlog are pure'],
  ['backlog', 'process', 'the rules of the backlog are pure'],
  ['backlog', 'store', 'the rules of the backlog know no store'],
];

/** Files that one file owns. */
const owned = new Map([
  ['workspace/git/run-git.ts', ['workspace/git/bound-git.ts', 'git is called through BoundGit']],
]);

const problems = [];
const files = readdirSync(src, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('testing.ts'));

for (const file of files) {
  const from = file.split(sep).join('/');
  for (const { specifier, isType } of importsOf(join(src, file))) {
    if (!specifier.startsWith('.')) continue;
    const to = relative(src, resolve(dirname(join(src, file)), specifier))
      .split(sep)
      .join('/');
    const reason = objection(from, to, isType);
    if (reason) problems.push(`src/${from} imports src/${to}: ${reason}`);
  }
}

for (const problem of problems) console.log(problem);
console.log(`${files.length} files, ${problems.length} imports in the wrong direction`);
process.exit(problems.length === 0 ? 0 : 1);

function objection(from, to, isType) {
  const [layer, target] = [from, to].map((path) => path.split('/')[0]);
  if (layer.endsWith('.ts')) return undefined; // src/index.ts is the package's face and may see everything
  if (target.endsWith('.ts')) return 'nothing inside imports the package entry';
  const [up, down] = [layers.indexOf(layer), layers.indexOf(target)];
  if (up < 0) return `${layer} is not a known layer`;
  if (down < up) return `${target} lies above ${layer}`;
  if (faces.has(layer) && target !== layer && !forFaces.has(target) && starts.get(from) !== to) {
    if (target !== 'manifest') return `a face reaches ${target} only through project and api`;
    if (!isType) return 'a face uses only types of the manifest language';
  }
  const [owner, why] = owned.get(to) ?? [from];
  if (owner !== from) return why;
  return forbidden.find(([a, b]) => from.startsWith(`${a}/`) && to.startsWith(`${b}/`))?.[2];
}

function importsOf(file) {
  const { module, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const text = readFileSync(file, 'utf8');
  const specifiers = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isType: entries.length > 0 && entries.every((entry) => entry.isType),
  }));
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ specifier: moduleRequest.value, isType }] : [],
    ),
  );
  const dynamic = module.dynamicImports.map(({ moduleRequest }) => ({
    specifier: text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    isType: false,
  }));
  return [...specifiers, ...reexports, ...dynamic];
}
