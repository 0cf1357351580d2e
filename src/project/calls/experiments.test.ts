import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { block } from '../../orchestrator/testing.ts';
import { gitProject } from '../../server/fixture/testing.ts';
import { tempProject } from '../../server/testing.ts';
import type { Project } from '../project.ts';

const write = (content: string) => ({ write: { path: 'b.txt', content } });
const use = (usd: number) => ({ usage: { input: 90, output: 10, usd } });
const SCRIPT = {
  turns: [
    { when: 'another way', steps: [use(0.03), write('another\n'), { say: 'done another way' }] },
    { when: 'spend much', steps: [use(0.2), use(0.2), use(0.2), { wait: 600_000 }, { say: 'rich' }] },
    { when: '/.loopwright/candidates/', steps: [{ say: 'in a copy' }] },
    { when: 'fail now', steps: [{ say: 'it is too hard' }, { fail: { exitCode: 3, message: 'no way' } }] },
    { when: '', steps: [use(0.02), write('b\n'), { say: 'it is fixed' }] },
  ],
};

interface Played {
  readonly dir: string;
  readonly project: Project;
  readonly id: string;
  readonly call: string;
}

/** A session whose only block is an agent that plays a script. */
async function played(options: { readonly inPlace?: boolean } = {}): Promise<Played> {
  const dir = tempProject();
  writeFileSync(join(dir, 'script.json'), JSON.stringify(SCRIPT));
  const project = await gitProject(dir);
  const workflow = {
    nodes: { N: { entry_block: 'A', blocks: { A: block('Coder', {}, { instructions: 'fix it' }) } } },
    workers: { Coder: { agent: 'scripted', extraArgs: ['--script', 'script.json'] } },
  };
  const run = await project.run('fix the login', { workflow, noBaseline: true, attended: false, ...options });
  await run.ended;
  const [call] = await project.callsOf(run.id);
  expect(call).toMatchObject({ ok: true });
  return { dir, project, id: run.id, call: call?.call ?? '' };
}

/** Everything that belongs to the session: its records and logs, its files, and what git knows of it. */
function pictureOf({ dir, id }: Played): unknown {
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  const folder = join(dir, '.loopwright/sessions', id);
  const records = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [file, readFileSync(file, 'base64')]);
  const worktree = join(dir, '.loopwright/worktrees', id);
  const files = existsSync(worktree) ? readdirSync(worktree).sort() : [];
  const texts = files
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(join(worktree, name), 'utf8'));
  return {
    records,
    files,
    texts,
    refs: git(dir, 'for-each-ref'),
    status: git(dir, 'status', '--porcelain'),
    worktrees: git(dir, 'worktree', 'list', '--porcelain'),
  };
}

describe('an experiment with a call', () => {
  it('runs with other words on the files before the step, and nothing of the session changes', async () => {
    const at = await played();
    const { project, id, call } = at;
    const before = pictureOf(at);
    const made = await project.rerunCall(id, call, { prompt: 'do it another way', permissions: 'edits' });
    expect(made).toMatchObject({ status: 'waiting', on: 'copy', agent: 'scripted', maxUsd: 0.5 });
    const ended = await project.runExperiment(made.experiment);
    expect(ended).toMatchObject({
      status: 'completed',
      answer: 'done another way',
      usd: 0.03,
      tokens: 100,
      code: 0,
      files: [{ path: 'b.txt', kind: 'added', before: null, after: 'another\n' }],
    });
    expect(ended.diff).toContain('+another');
    expect(pictureOf(at)).toEqual(before);
    expect(await project.experiments(id)).toEqual([ended]);
    const folder = join(at.dir, '.loopwright/calls', made.experiment);
    expect(readdirSync(folder).sort()).toEqual([
      expect.stringMatching(/--scripted.*\.log$/),
      'experiment.json',
    ]);
    expect(readdirSync(join(at.dir, '.loopwright/candidates'))).toEqual([]);
    expect((await project.budget()).today.spent.usd).toBeCloseTo(0.05);
    await expect(project.runExperiment(made.experiment)).rejects.toThrow('has been run already');
    await project.removeExperiment(made.experiment);
    expect(existsSync(folder)).toBe(false);
    await expect(project.experiment(made.experiment)).rejects.toThrow('There is no experiment');
  });

  it('is ended as soon as it has used what it may cost', async () => {
    const { project, id, call } = await played();
    const { experiment } = await project.rerunCall(id, call, { prompt: 'spend much', maxUsd: 0.3 });
    const ended = await project.runExperiment(experiment);
    expect(ended).toMatchObject({ status: 'capped', ended: 'stopped' });
    expect(ended.usd).toBeGreaterThanOrEqual(0.3);
    expect(ended.answer).not.toContain('rich');
  });

  it('is told of its own folder where the words name that of the session', async () => {
    const { dir, project, id, call } = await played();
    const prompt = `work in ${join(dir, '.loopwright/worktrees', id)}`;
    const { experiment } = await project.rerunCall(id, call, { prompt });
    expect(await project.runExperiment(experiment)).toMatchObject({ answer: 'in a copy', prompt });
  });

  it('that fails is kept with what it said', async () => {
    const { project, id, call } = await played();
    const { experiment } = await project.rerunCall(id, call, { prompt: 'fail now' });
    await project.runExperiment(experiment);
    expect(await project.experiment(experiment)).toMatchObject({
      status: 'failed',
      code: 3,
      answer: 'no way',
      error: { message: 'no way' },
      files: [],
    });
  });

  it('that a person stops is ended with its agent', async () => {
    const { project, id, call } = await played();
    const { experiment } = await project.rerunCall(id, call, { prompt: 'spend much', maxUsd: 5 });
    const stop = new AbortController();
    const running = project.runExperiment(experiment, { cancel: stop.signal });
    await expect.poll(() => project.experiment(experiment)).toMatchObject({ status: 'running' });
    await expect(project.removeExperiment(experiment)).rejects.toThrow('is running');
    stop.abort();
    expect((await running).status).toBe('stopped');
    await expect(project.stopExperiment(experiment)).rejects.toThrow('does not run');
  });

  it('goes with its session', async () => {
    const { dir, project, id, call } = await played();
    const { experiment } = await project.rerunCall(id, call, { prompt: 'fail now' });
    await project.runExperiment(experiment);
    await project.discard(id);
    await project.clean({ sessions: [id] });
    expect(readdirSync(join(dir, '.loopwright/calls'))).toEqual([]);
  });
});

describe('an experiment is refused', () => {
  it('where files were not kept, unless it only reads', async () => {
    const { project, id, call } = await played({ inPlace: true });
    await expect(project.rerunCall(id, call, { permissions: 'edits' })).rejects.toThrow(
      /were not kept, so an experiment may only read/,
    );
    expect(await project.rerunCall(id, call)).toMatchObject({ permissions: 'read', on: 'project' });
  });

  it('while the project is not trusted, and with words that mean nothing', async () => {
    const { project, id, call } = await played();
    await expect(project.rerunCall(id, '9.9')).rejects.toThrow('has no call 9.9');
    await expect(project.rerunCall(id, call, { permissions: 'ask' })).rejects.toThrow(
      'not what an experiment may',
    );
    await expect(project.rerunCall(id, call, { agent: 'nobody' })).rejects.toThrow(
      'There is no agent "nobody"',
    );
    await expect(project.rerunCall(id, call, { agent: 'openai/gpt-5' })).rejects.toThrow('is a model');
    vi.stubEnv('LOOPWRIGHT_TRUST', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    await project.untrust();
    await expect(project.rerunCall(id, call)).rejects.toThrow('Nothing was started');
    await expect(project.runExperiment('01X')).rejects.toThrow('Nothing was started');
  });
});
