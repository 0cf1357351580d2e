import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, plainEnvironment, ROOT, tempFolder, write } from '../cli/support.ts';

/** A folder of this test in which `import 'loopwright'` finds the package as it is built. */
export function consumerFolder(files: { readonly [path: string]: unknown } = {}): string {
  const folder = tempFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'loopwright'));
  write(folder, { 'package.json': { private: true, type: 'module' }, ...files });
  return folder;
}

/** Runs a module as a program of its own: plain Node, nothing of this test. */
export function runNode(
  folder: string,
  file: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: folder,
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece) => {
    text.stdout += String(piece);
  });
  child.stderr.on('data', (piece) => {
    text.stderr += String(piece);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...text }));
  });
}

export function runScript(folder: string, code: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  writeFileSync(join(folder, 'script.mjs'), code);
  return runNode(folder, 'script.mjs', [], env);
}
