import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE_24 = '24.21.0';

/** npm itself, whatever package manager or runner started the tests. */
function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
  });
}

/** The newest major that users have; kept in .cache, so only the first run fetches it. */
function node24(): string {
  const name = `node-${process.platform}-${process.arch}`;
  const home = join(ROOT, '.cache', `node-${NODE_24}`);
  const binary = join(home, 'node_modules', name, 'bin', 'node');
  if (!existsSync(binary))
    npm(['install', '--prefix', home, '--no-save', '--no-package-lock', `${name}@${NODE_24}`], ROOT);
  return binary;
}

describe('the packed package', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-package-'));
    npm(['pack', '--ignore-scripts', '--pack-destination', folder], ROOT);
    const [tarball = ''] = readdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    npm(['install', `./${tarball}`], folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const versions: [string, () => string][] = [
    [`Node ${process.versions.node}`, () => process.execPath],
    [`Node ${NODE_24}`, node24],
  ];

  const command = () => join(folder, 'node_modules', 'loopwright', 'dist', 'bin', 'loopwright.js');

  it.each(versions)('runs its demo in an empty folder on %s', (_name, node) => {
    const output = execFileSync(node(), [command(), 'demo'], { cwd: folder, encoding: 'utf8' });
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

  it('holds what a user needs and nothing else', () => {
    const names = readdirSync(join(folder, 'node_modules', 'loopwright'), { recursive: true }).map(String);
    for (const name of [
      'README.md',
      'LICENSE',
      'schema/manifest.schema.json',
      'workflows/test-fix.json',
      'dist/index.d.ts',
    ]) {
      expect(names).toContain(name);
    }
    expect(names.filter((name) => /\.test\.|testing\.|build-digest|^src|^test|^bench/.test(name))).toEqual(
      [],
    );
  });
});
