import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loopwright, write } from '../cli/support.ts';
import { Home } from './homes/home.ts';
import { type Cli, installedClis } from './installed.ts';
import { ModelServer } from './model-server/server.ts';

interface Document {
  nodes: { [node: string]: { blocks: { [block: string]: { worker: string; instructions?: string } } } };
}

/** A shipped workflow as it is, but that its blocks also say what the model on loopback shall do. */
function shipped(name: string, wishes: { readonly [block: string]: string }): Document {
  const file = new URL(`../../workflows/${name}.json`, import.meta.url);
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
  for (const { blocks } of Object.values(document.nodes))
    for (const [block, definition] of Object.entries(blocks))
      if (definition.instructions !== undefined)
        definition.instructions += `\n\n${wishes[block] ?? 'TIMES=0 TEXT=nothing'}`;
  return document;
}

/** Fails until answer.txt says right; lints for the word ugly; builds unless it says heavy. */
const CHECK = (word: string, wanted: boolean) =>
  `const text = require('node:fs').readFileSync('answer.txt', 'utf8');\nif (text.includes('${word}') !== ${wanted}) { console.error('answer.txt: ' + text); process.exit(1); }\n`;

const PROJECT = {
  'package.json': {
    name: 'x',
    private: true,
    scripts: { test: 'node tools/test.js', lint: 'node tools/lint.js', build: 'node tools/build.js' },
  },
  'tools/test.js': CHECK('right', true),
  'tools/lint.js': CHECK('ugly', false),
  'tools/build.js': CHECK('heavy', false),
  'answer.txt': 'none\n',
  'README.md': 'old\n',
};

const file = (content: string, path = 'answer.txt') => `FILE=${path} CONTENT=${content} TEXT=wrote`;
const DOCS = { GenerateDocs: file('documented', 'README.md') };

describe.each<Cli>(['claude', 'codex'])('the shipped loops with %s alone', (cli) => {
  let server: ModelServer;
  let home: Home;
  beforeEach(async () => {
    server = await ModelServer.start();
    home = new Home(cli);
    write(home.work, PROJECT);
    const git = (...args: string[]) => execFileSync('git', ['-C', home.work, ...args]);
    git('config', 'user.email', 'a@b.c');
    git('config', 'user.name', 'a');
    git('add', '.');
    git('commit', '-qm', 'start');
  });
  afterEach(async () => {
    home.remove();
    await server.close();
  });

  const run = async (document: Document) => {
    write(home.work, { 'w.json': document });
    const env = home.settle(cli, installedClis().bin, server.url('ok', 'loop'), 'key');
    const place = { cwd: home.work, env };
    const { stdout, stderr } = await loopwright(
      ['run', 'make it right', '--workflow', 'w.json', '--agent', cli],
      place,
    );
    const steps = [...stdout.matchAll(/^[✓✗•] +\d+ +\S+__(\S+) +(\S+)/gmu)].map(
      ([, block, signal]) => `${block} ${signal}`,
    );
    const shown = JSON.parse((await loopwright(['show', '--json'], place)).stdout) as { worktree: string };
    const delivered = (path: string) => readFileSync(join(shown.worktree, path), 'utf8').trim();
    return { steps, delivered, said: stdout + stderr };
  };

  it('test-fix: generates, tests, fixes and documents', async () => {
    const wishes = { GenerateCode: file('wrong'), FixCode: file('right'), ...DOCS };
    const { steps, delivered, said } = await run(shipped('test-fix', wishes));
    expect(steps, said).toEqual([
      'GenerateCode SUCCESS',
      'ValidateOutput SUCCESS',
      'WriteArtifacts SUCCESS',
      'RunTests FAILURE',
      'FixCode SUCCESS',
      'ValidateOutput SUCCESS',
      'WriteArtifacts SUCCESS',
      'RunTests SUCCESS',
      'InspectTests SUCCESS',
      'GenerateDocs SUCCESS',
      'CheckDocs SUCCESS',
      'WriteDocs SUCCESS',
      'RunTests SUCCESS',
      'InspectTests SUCCESS',
      'CheckDocs NO_CHANGE',
    ]);
    expect([delivered('answer.txt'), delivered('README.md')]).toEqual(['right', 'documented']);
  });

  it('feature: plans, implements, lints, tests, builds and documents', async () => {
    const wishes = {
      Implement: file('ugly'),
      FixLint: file('heavy_right'),
      FixBuild: file('right'),
      ...DOCS,
    };
    const { steps, delivered, said } = await run(shipped('feature', wishes));
    expect(steps, said).toEqual([
      'PlanFiles SUCCESS',
      'UpdatePlan SUCCESS',
      'Implement SUCCESS',
      'Validate SUCCESS',
      'Write SUCCESS',
      'Lint FAILURE',
      'FixLint SUCCESS',
      'Validate SUCCESS',
      'Write SUCCESS',
      'Lint SUCCESS',
      'Test SUCCESS',
      'Build FAILURE',
      'FixBuild SUCCESS',
      'Validate SUCCESS',
      'Write SUCCESS',
      'Lint SUCCESS',
      'Test SUCCESS',
      'Build SUCCESS',
      'InspectTests SUCCESS',
      'GenerateDocs SUCCESS',
      'CheckDocs SUCCESS',
      'WriteDocs SUCCESS',
      'Lint SUCCESS',
      'Test SUCCESS',
      'Build SUCCESS',
      'InspectTests SUCCESS',
      'CheckDocs NO_CHANGE',
    ]);
    expect([delivered('answer.txt'), delivered('README.md')]).toEqual(['right', 'documented']);
  });
});
