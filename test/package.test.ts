import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE_24 = '24.21.0';
/** The oldest that we promise. */
const NODE_20 = '20.19.0';

/** npm itself, whatever package manager or runner started the tests. */
function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
  });
}

/** Another Node than this one; kept in .cache, so only the first run fetches it. */
function otherNode(version: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const home = join(ROOT, '.cache', `node-${version}`);
  const binary = join(home, 'node_modules', name, 'bin', 'node');
  if (!existsSync(binary))
    npm(['install', '--prefix', home, '--no-save', '--no-package-lock', `${name}@${version}`], ROOT);
  return binary;
}

interface Lock {
  readonly packages: { readonly [path: string]: { readonly version?: string } };
}

/** Every package with its version, wherever it lies. */
function versionsIn({ packages }: Lock): Set<string> {
  const named = Object.entries(packages).filter(([path]) => path !== '');
  return new Set(named.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`));
}

describe('the packed package', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-package-'));
    // As `prepack` does it, but for the build, which others look at meanwhile.
    execFileSync(process.execPath, [join(ROOT, 'scripts/write-shrinkwrap.mjs')]);
    try {
      npm(['pack', '--ignore-scripts', '--pack-destination', folder], ROOT);
    } finally {
      execFileSync(process.execPath, [join(ROOT, 'scripts/write-shrinkwrap.mjs'), '--remove']);
    }
    const [tarball = ''] = readdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    npm(['install', `./${tarball}`], folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const versions: [string, () => string][] = [
    [`Node ${process.versions.node}`, () => process.execPath],
    [`Node ${NODE_20}`, () => otherNode(NODE_20)],
    [`Node ${NODE_24}`, () => otherNode(NODE_24)],
  ];

  const command = () => join(folder, 'node_modules', 'loopwright', 'dist', 'bin', 'loopwright.js');

  it.each(versions)('runs its demo in an empty folder on %s', (_name, node) => {
    // What it makes goes with the folder of the test.
    const env = { ...process.env, TMPDIR: folder };
    const output = execFileSync(node(), [command(), 'demo'], { cwd: folder, env, encoding: 'utf8' });
    expect(output).toContain('Feature_Troubleshoot__FixCode');
    expect(output).toContain('completed');
  });

  it.each(versions)('is a library that runs a manifest and prints nothing on %s', (_name, node) => {
    const script = `
      import { Orchestrator, SessionManager } from 'loopwright';
      const manifest = { N: { entry_block: 'A', blocks: { A: { worker: 'W', transitions: [] } } } };
      const workers = { W: (context, run) => ({ signal: 'SIGNAL:SUCCESS', new_payload: [run.segment('NOTE', 'hi')] }) };
      const sessions = SessionManager.onDisk('sessions');
      const end = await new Orchestrator(manifest, { workers, sessions }).execute('N');
      if (end.status !== 'completed' || sessions.load(end.sessionId).state.step !== 1) process.exit(1);`;
    const output = execFileSync(node(), ['--input-type=module', '-e', script], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(output).toBe('');
  });

  it('and everything it needs install on the oldest Node we promise, with engines enforced', () => {
    const strict = mkdtempSync(join(tmpdir(), 'lw-strict-'));
    try {
      const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
      writeFileSync(join(strict, 'package.json'), '{"private":true}');
      const cli = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
      const args = [
        'install',
        join(folder, tarball),
        '--engine-strict',
        '--no-audit',
        '--no-fund',
        '--prefer-offline',
      ];
      const output = execFileSync(otherNode(NODE_20), [join(cli, 'npm/bin/npm-cli.js'), ...args], {
        cwd: strict,
        encoding: 'utf8',
      });
      expect(output).toContain('added');
      const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
      const found = JSON.parse(readFileSync(join(strict, 'package-lock.json'), 'utf8')) as Lock;
      const strangers = [...versionsIn(found)].filter((one) => !versionsIn(locked).has(one));
      expect(strangers).toEqual([`loopwright@${locked.packages['']?.version}`]);
    } finally {
      rmSync(strict, { recursive: true });
    }
  });

  it('holds what a user needs and nothing else', () => {
    const names = readdirSync(join(folder, 'node_modules', 'loopwright'), { recursive: true }).map(String);
    for (const name of [
      'README.md',
      'LICENSE',
      'schema/manifest.schema.json',
      'workflows/test-fix.json',
      'dist/index.d.ts',
      'docs/cli.md',
      'npm-shrinkwrap.json',
      'SECURITY.md',
    ]) {
      expect(names).toContain(name);
    }
    // A new folder at the top is a decision, not an accident.
    const top = readdirSync(join(folder, 'node_modules', 'loopwright')).filter(
      (name) => name !== 'node_modules',
    );
    expect(top.sort()).toEqual(
      'CHANGELOG.md LICENSE README.md SECURITY.md dist docs npm-shrinkwrap.json package.json programs schema workflows'.split(
        ' ',
      ),
    );
    expect(names.filter((name) => /\.test\.|testing\.|build-digest|^src|^test|^bench/.test(name))).toEqual(
      [],
    );
  });
});
