import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCases } from '../../src/project/use-cases.ts';
import { ROOT, write } from '../cli/support.ts';
import { repository } from '../cli/workspace-support.ts';
import { consumerFolder, runNode } from './consumer.ts';

const PAGE = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');

/** The examples of the page in one language, each with the heading it stands under. */
function examples(language: 'js' | 'ts'): { heading: string; code: string }[] {
  let heading = '';
  return [...PAGE.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, title, kind, code]) => {
    heading = title ?? heading;
    return kind === language && code !== undefined ? [{ heading, code }] : [];
  });
}

/** A project in which every example of the page makes sense: the scripted agent does the work. */
function project(): { cwd: string; env: NodeJS.ProcessEnv } {
  const cwd = repository({
    'package.json': { private: true, type: 'module' },
    '.gitignore': 'node_modules\n.loopwright\nexample.mjs\n',
    'README.md': '# Project\n',
  });
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules', 'loopwright'));
  write(cwd, {
    '.git/script.json': {
      steps: [{ write: { path: 'README.md', content: '# Project\n\nMIT licence.\n' } }, { say: 'done' }],
    },
    '.loopwright/config.json': {
      commands: { test: ['test', '-d', '.'] },
      workers: { Coder: { agent: 'scripted', conversation: 'fresh' } },
    },
  });
  const env = {
    REPO_MODE: 'local-git',
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.git', 'locks'),
  };
  return { cwd, env };
}

/** What the compiler says about a consumer of the package; empty when it is content. */
function typeCheck(folder: string, config: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  return new Promise((resolve) => {
    execFile(tsc, ['-p', config], { cwd: folder }, (error, stdout, stderr) =>
      resolve(error === null ? '' : stdout + stderr),
    );
  });
}

const RESOLUTIONS = [
  ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
] as const;

/** A strict consumer that checks the declarations of the package as well. */
function compilerOptions(how: object): object {
  return {
    ...how,
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
}

function typedFolder(files: { readonly [path: string]: unknown }): string {
  const folder = consumerFolder(files);
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  for (const [name, how] of RESOLUTIONS) {
    write(folder, { [`${name}.json`]: { compilerOptions: compilerOptions(how), include: ['*.ts'] } });
  }
  return folder;
}

describe('docs/library.md', () => {
  it.each(examples('js'))('the example under "$heading" runs', async ({ code }) => {
    const { cwd, env } = project();
    write(cwd, { 'example.mjs': code });
    const { code: exit, stderr, stdout } = await runNode(cwd, 'example.mjs', ['.', 'change it'], env);
    expect({ exit, stderr }, stdout).toEqual({ exit: 0, stderr: '' });
  });

  it('names every use case', () => {
    const missing = Object.keys(useCases).filter((name) => !PAGE.includes(`\`${name}(`));
    expect(missing).toEqual([]);
  });
});

it('the program in the README runs, with the scripted agent in place of claude', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const { cwd, env } = project();
  write(cwd, { 'example.mjs': program.replace("'claude'", "'scripted'") });
  const { code, stdout, stderr } = await runNode(cwd, 'example.mjs', [], env);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('session.completed');
});

// What a consumer must not be able to write is marked in its sources: if the types were lost, the marks would fail.
it.each(RESOLUTIONS)(
  'a strict consumer and the TypeScript of the page compile with moduleResolution %s',
  async (name) => {
    const shown = examples('ts').map(({ code }, i) => [`example-${i}.ts`, code]);
    expect(shown.length).toBeGreaterThan(2);
    const folder = typedFolder(Object.fromEntries(shown));
    cpSync(join(ROOT, 'test/library/consumer-project'), folder, { recursive: true });
    expect(await typeCheck(folder, `${name}.json`)).toBe('');
  },
);
