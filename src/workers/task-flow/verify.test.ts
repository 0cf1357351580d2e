import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasker } from '../../kernel/mask.ts';
import { isAlive } from '../../process/identity.ts';
import { gitTree, repoWith } from '../../verification/testing.ts';
import type { TestRepo } from '../../workspace/git/testing.ts';
import type { WorkerServices } from '../services.ts';
import { contextFor, fakeProcesses, recordedRun, servicesFor } from '../testing.ts';
import { verify } from './verify.ts';

let repo: TestRepo;
let taskTree: NonNullable<WorkerServices['taskTree']>;
beforeEach(() => {
  repo = repoWith({ 'src/a.ts': '', '.env': 'TOKEN=abc\n' });
  taskTree = gitTree(repo);
  repo.put('src/a.ts', 'changed');
});
afterEach(() => repo.dispose());

function run(commands: string[], services: Partial<WorkerServices> = {}, recorded = recordedRun()) {
  const parameters = { task: { commands }, rules: { autoVerifyMode: 'off' } };
  const context = contextFor({ worktree: repo.dir, with: parameters });
  return verify(servicesFor({ taskTree, ...services })).run(context, recorded);
}

describe('Internal:Verify', () => {
  it('answers with the report as a result and the outcome as a fact', async () => {
    const { signal, new_payload } = await run(['test -f src/a.ts']);
    expect(signal).toBe('SIGNAL:SUCCESS');
    expect(new_payload).toMatchObject([
      { type: 'VERIFICATION', outcome: 'PASS', content: { result: 'verified' } },
      { type: 'OUTCOME', fact: true, content: { outcome: 'verified' } },
    ]);
  });

  it('runs the test command that the project configured', async () => {
    const { processes, requests } = fakeProcesses();
    repo.put('package.json', JSON.stringify({ scripts: { test: 'exit 0' } }));
    const context = contextFor({
      worktree: repo.dir,
      with: { task: { allowedPaths: ['package.json', 'src/**'] } },
    });
    const services = servicesFor({ taskTree, processes, commands: { test: 'node mine.js' } });
    await verify(services).run(context, recordedRun());
    expect(requests.map(({ argv }) => argv)).toEqual([['node', 'mine.js']]);
  });

  it('CMD-09 a command has five minutes, no terminal and no input', async () => {
    const { processes, requests } = fakeProcesses();
    await run(['x'], { processes });
    expect(requests[0]).toMatchObject({ timeoutMs: 300_000, streams: 'merged', cwd: repo.dir });
    expect(requests[0]).not.toHaveProperty('input');
    expect((await run(['test -t 0'])).signal).toBe('SIGNAL:FAILURE');
    expect((await run(['cat'])).signal).toBe('SIGNAL:SUCCESS');
  });

  it('masks secrets in the report, and shows the output live', async () => {
    const recorded = recordedRun();
    const masker = createMasker(['p4ssw0rd-p4ssw0rd']);
    repo.put('leak.js', 'console.log("p4ssw0rd-p4ssw0rd"); process.exit(1)');
    const { new_payload } = await run(['node leak.js'], { masker }, recorded);
    expect(recorded.text()).toBe('***\n');
    expect(new_payload[0]).toMatchObject({ content: { commands: [{ errorEnd: '***\n' }] } });
  });

  it('ends its processes when it is cancelled', async () => {
    const recorded = recordedRun({ onOutput: () => recorded.abort() });
    await run([`node -e 'console.log("up"), setInterval(Date, 1000)'`], {}, recorded);
    const [note] = recorded.notes;
    expect(note?.type === 'process' && isAlive(note.process)).toBe(false);
  });

  it('says what it needs instead of guessing', async () => {
    const { taskTree: _, ...without } = servicesFor({ taskTree });
    await expect(verify(without).run(contextFor(), recordedRun())).rejects.toThrow(
      /needs the tree of a task/,
    );
    const wrong = contextFor({ with: { task: { commands: 'npm test' } } });
    await expect(verify(servicesFor({ taskTree })).run(wrong, recordedRun())).rejects.toThrow(/commands/);
    expect(verify(servicesFor()).checkWith?.({ tsk: 1 })).toEqual([expect.stringContaining('"task"')]);
  });
});
