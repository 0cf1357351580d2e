import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, plainEnvironment, ROOT, tempFolder, write } from '../cli/support.ts';
import { git, repository } from '../cli/workspace-support.ts';
import { consumerFolder, runNode, runScript } from './consumer.ts';

const SLUGIFY = {
  'package.json': { private: true, type: 'module' },
  'slugify.mjs': 'export const slugify = (text) => text;\n',
  'slugify.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugify } from './slugify.mjs';
test('joins words', () => assert.equal(slugify('Hello World'), 'hello-world'));
test('takes accents off', () => assert.equal(slugify('Crème Brûlée!'), 'creme-brulee'));
`,
};

/** A project whose worker is the scripted agent. */
function scriptedProject(script: string): string {
  const dir = repository(SLUGIFY);
  const coder = { agent: 'scripted', extraArgs: ['--script', script], conversation: 'fresh' };
  write(dir, {
    '.loopwright/config.json': {
      commands: { test: [process.execPath, '--test'] },
      workers: { Coder: coder },
    },
  });
  return dir;
}

function withExample(): string {
  const folder = consumerFolder();
  copyFileSync(join(ROOT, 'examples/run-and-accept.mjs'), join(folder, 'run-and-accept.mjs'));
  return folder;
}

describe('examples/run-and-accept.mjs, with the package alone', () => {
  it('is about thirty lines and is what the page shows', () => {
    const program = readFileSync(join(ROOT, 'examples/run-and-accept.mjs'), 'utf8');
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(32);
    expect(readFileSync(join(ROOT, 'docs/library.md'), 'utf8')).toContain(program.trim());
  });

  it('runs, watches and accepts', async () => {
    const dir = scriptedProject(join(ROOT, 'workflows/demo/slugify.json'));
    const { code, stdout, stderr } = await runNode(
      withExample(),
      'run-and-accept.mjs',
      [dir, 'fix slugify'],
      // Its own line says that the project is trusted.
      { LOOPWRIGHT_TRUST: undefined, XDG_CONFIG_HOME: tempFolder() },
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').slice(1)).toEqual([
      'Feature_Implement__GenerateCode  SIGNAL:SUCCESS',
      'Core_Validate__ValidateOutput  SIGNAL:SUCCESS',
      'Core_IO__WriteArtifacts  SIGNAL:SUCCESS',
      'Core_Validate__RunTests  SIGNAL:FAILURE',
      'Feature_Troubleshoot__FixCode  SIGNAL:SUCCESS',
      'Core_Validate__ValidateOutput  SIGNAL:SUCCESS',
      'Core_IO__WriteArtifacts  SIGNAL:SUCCESS',
      'Core_Validate__RunTests  SIGNAL:SUCCESS',
      'Core_Validate__InspectTests  SIGNAL:SUCCESS',
      'Feature_Implement__GenerateDocs  SIGNAL:SUCCESS',
      'Feature_Implement__CheckDocs  SIGNAL:NO_CHANGE',
      'modified  slugify.mjs',
      'accepted on main',
      '',
    ]);
    expect(git(dir, 'log', '-1', '--format=%s')).toContain('fix slugify');
    expect(git(dir, 'show', 'HEAD:slugify.mjs')).toContain('normalize');
  });

  it('says what can be done about a session that halted, and accepts nothing', async () => {
    const dir = scriptedProject(join(ROOT, 'workflows/demo/stubborn.json'));
    const { code, stdout } = await runNode(withExample(), 'run-and-accept.mjs', [dir, 'fix slugify']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^halted: /m);
    expect(stdout).toMatch(/^ {2}session\.retry {2}/m);
    expect(git(dir, 'log', '-1', '--format=%s')).toBe('start');
  });

  it('tells a problem by its kind, with what to do', async () => {
    const { code, stderr } = await runNode(withExample(), 'run-and-accept.mjs', [
      repository(),
      'x',
      'nobody',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^not-found: .*There is no agent "nobody"/s)]);
  });
});

describe('a program with the package alone', () => {
  it('reads what the agents printed, as a whole and per stage task', async () => {
    const dir = scriptedProject(join(ROOT, 'workflows/demo/slugify.json'));
    const { stdout, stderr } = await runScript(
      consumerFolder(),
      `import { openProject } from 'loopwright';
       const project = openProject(${JSON.stringify(dir)});
       const run = await project.run('fix slugify');
       await run.ended;
       const { session, pieces } = await project.logs(run.id);
       let said = '';
       for await (const { task, log, text } of pieces) {
         if (task === '' || log === '') throw new Error('a piece names where it comes from');
         said += text;
       }
       const files = await project.logFiles(run.id);
       const wrong = await project.logs(run.id, { task: 'nobody' }).catch((error) => error.kind);
       console.log(JSON.stringify({ session: session === run.id, said, files, wrong }));`,
    );
    expect(stderr).toBe('');
    const [read] = jsonLines(stdout);
    expect(read).toMatchObject({ session: true, wrong: 'not-found' });
    expect(read?.['said']).toContain('first attempt: everything that is not a letter becomes a dash');
    expect(read?.['said']).toContain('took the accents off first');
  });

  it('adds a task, works the backlog off, sees who waits for a verdict, and approves it', async () => {
    const dir = repository({ 'check.mjs': 'process.exit(0);\n' });
    const script = join(dir, '.git/script.json');
    write(dir, {
      '.git/script.json': { steps: [{ write: { path: 'src/new.txt', content: 'new\n' } }, { say: 'done' }] },
    });
    const { stdout, stderr } = await runScript(
      consumerFolder(),
      `import { openProject } from 'loopwright';
       const project = openProject(${JSON.stringify(dir)});
       const task = await project.addTask('add the file', { commands: ['node check.mjs'], allowedPaths: ['src/**'] });
       const working = await project.work({ once: true });
       const types = new Set();
       for await (const event of working.events) types.add(event.type);
       const ended = await working.ended;
       const [need] = await project.needsYou();
       const { state, runs } = await project.story(task.id);
       const approved = await project.approveTask(task.id);
       const { done } = await project.board();
       console.log(JSON.stringify({
         mode: working.mode, types: [...types], ended, need, state, evidence: runs[0].evidence,
         approved, done: done.map(({ id }) => id === task.id),
       }));`,
      {
        REPO_MODE: 'local-git',
        LLM_EXECUTOR: 'scripted',
        LOOPWRIGHT_SCRIPT: script,
        LOOPWRIGHT_TASK_LOCK_DIR: join(dir, '.git', 'locks'),
      },
    );
    expect(stderr).toBe('');
    expect(jsonLines(stdout)[0]).toMatchObject({
      mode: 'local-git',
      types: expect.arrayContaining(['task.claimed', 'task.session']) as unknown,
      need: { kind: 'verdict', title: 'add the file', actions: expect.any(Array) as unknown },
      state: 'blocked',
      evidence: expect.arrayContaining([expect.stringContaining('passed: node check.mjs')]) as unknown,
      approved: { verdict: 'approve', already: false, base: 'main', delivered: { kind: 'accepted' } },
      done: [true],
    });
    expect(git(dir, 'show', 'main:src/new.txt')).toBe('new');
  });

  it('answers a question with sources', async () => {
    const dir = repository();
    const claim = (more: object) => ({
      say: JSON.stringify({ findings: [{ claim: 'Water is wet.', ...more }] }),
    });
    const sources = [{ url: 'https://w.example/1', title: 't', quote: 'q', stance: 'supports' }];
    write(dir, {
      '.git/script.json': {
        turns: [
          { when: '\\(plan\\)', steps: [claim({})] },
          {
            when: '\\(write\\)',
            steps: [
              {
                say: JSON.stringify({
                  findings: [{ claim: 'Water is wet.' }],
                  report: 'It is [1].',
                  confidence: 75,
                }),
              },
            ],
          },
          { steps: [claim({ verdict: 'supported', confidence: 80, sources })] },
        ],
      },
    });
    const { stdout, stderr } = await runScript(
      consumerFolder(),
      `import { readFileSync } from 'node:fs';
       import { openProject } from 'loopwright';
       const project = openProject(${JSON.stringify(dir)});
       const researching = await project.research({ question: 'is water wet?' });
       const types = new Set();
       for await (const event of researching.events) types.add(event.type);
       const end = await researching.ended;
       console.log(JSON.stringify({ ...end, text: end.report && readFileSync(end.report, 'utf8') }));`,
      {
        LLM_EXECUTOR: 'scripted',
        LOOPWRIGHT_SCRIPT: join(dir, '.git/script.json'),
        LOOPWRIGHT_TASK_LOCK_DIR: join(dir, '.git', 'locks'),
      },
    );
    expect(stderr).toBe('');
    expect(jsonLines(stdout)[0]).toMatchObject({ claims: 1, sources: 1, unsourced: 0 });
    expect(jsonLines(stdout)[0]?.['text']).toContain('https://w.example/1');
  });

  it('runs a workflow and workers of its own code, answers its question and continues it', async () => {
    const dir = repository();
    const { stdout, stderr } = await runScript(
      consumerFolder(),
      `import { defineWorkflow, openProject, pass, segment } from 'loopwright';
       const workflow = defineWorkflow({
         workers: { Writer: { persona: 'You write.' } },
         nodes: {
           Main: {
             entry_block: 'Ask',
             blocks: {
               Ask: {
                 worker: 'Internal:AskHuman',
                 with: { question: 'Which one?', choices: ['left', 'right'] },
                 transitions: [
                   { on_signal: 'SIGNAL:LEFT', action: 'RETURN' },
                   { on_signal: 'SIGNAL:RIGHT', action: 'JUMP:Work' },
                 ],
               },
               Work: { worker: 'Writer', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }] },
             },
           },
         },
       });
       const workers = { Writer: (context, run) => pass(context, run, segment('NOTE', 'written')) };
       const project = openProject(${JSON.stringify(dir)});
       const asked = await (await project.run('choose', { workflow, workers })).ended;
       const again = await project.resume(asked.id, { answer: 'right', workers });
       const end = await again.ended;
       const { payload } = await project.session(end.id, { payload: true });
       const last = payload.at(-1);
       console.log(JSON.stringify({ halted: asked.halt.question, end: end.status, last: [last.type, last.content] }));`,
    );
    expect(stderr).toBe('');
    expect(jsonLines(stdout)[0]).toMatchObject({
      halted: { question: 'Which one?', choices: ['left', 'right'] },
      end: 'completed',
      last: ['NOTE', 'written'],
    });
  });

  it('watches and interrupts a session that another program runs', async () => {
    const script = join(repository(), '.git/script.json');
    write(join(script, '..'), { 'script.json': { steps: [{ say: 'begun' }, { hang: true }] } });
    const dir = scriptedProject(script);
    const folder = consumerFolder({
      'owner.mjs': `import { openProject } from 'loopwright';
        const run = await openProject(${JSON.stringify(dir)}).run('hang');
        for await (const event of run.events) {
          if (event.type === 'task.output') console.log(run.id);
        }
        console.log((await run.ended).status);`,
    });
    const owner = spawn(process.execPath, ['owner.mjs'], {
      cwd: folder,
      env: plainEnvironment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    const ended = new Promise((resolve) => owner.once('close', resolve));
    await new Promise<void>((resolve) => {
      owner.stdout.on('data', (text) => {
        said += String(text);
        if (said.includes('\n')) resolve();
      });
    });
    const id = said.slice(0, said.indexOf('\n'));
    const { stdout, stderr } = await runScript(
      folder,
      `import { openProject } from 'loopwright';
       const project = openProject(${JSON.stringify(dir)});
       const watching = await project.watch(${JSON.stringify(id)});
       await project.interrupt(${JSON.stringify(id)}, 'enough');
       const types = [];
       for await (const event of watching.events) types.push(event.type);
       console.log(JSON.stringify({ was: watching.session.status, types }));`,
    );
    expect(stderr).toBe('');
    expect(jsonLines(stdout)[0]).toMatchObject({
      was: 'running',
      types: expect.arrayContaining(['session.halted']) as unknown,
    });
    await ended;
    expect(said.trim().split('\n').at(-1)).toBe('halted');
  });
});
