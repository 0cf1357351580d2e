import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headless, stages } from './pipeline-support.ts';
import { loopwright, write } from './support.ts';
import { read, repository, runToEnd, sessionIn } from './workspace-support.ts';

/** An agent that writes what its script names; one stage, so that nothing but its paths can halt it. */
function project(...files: readonly string[]) {
  const steps = files.map((path) => ({ write: { path, content: 'written\n' } }));
  const script = { turns: [{ when: 'go', steps: [...steps, { say: 'done' }] }] };
  const cwd = repository({
    'script.json': script,
    'p.json': stages([headless('a', 'go')]),
    'check.sh': 'exit 0',
    'loopwright.json': { commands: { test: 'sh check.sh' } },
  });
  write(cwd, { '.loopwright/config.json': { sandbox: 'off' } });
  const env = { LOOPWRIGHT_SCRIPT: join(cwd, 'script.json') };
  const run = (...args: string[]) => loopwright(['pipeline', 'p.json', ...args], { cwd, env });
  return { cwd, env, run };
}

describe('what a run may change', () => {
  it('--allow halts it for anything else, names the files, and nothing of it is delivered', async () => {
    const { cwd, env, run } = project('src/a.ts', 'lib/b.ts');
    const { code, stdout } = await run('--allow', 'src/**');
    expect(code).toBe(2);
    expect(stdout).toContain('lib/b.ts (outside the allowed paths)');
    expect(stdout).not.toContain('src/a.ts (');
    const id = sessionIn(stdout);
    for (const how of [[], ['--unproven']]) {
      const refused = await loopwright(['accept', id, ...how], { cwd });
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('lib/b.ts')]);
    }
    expect(read(cwd, 'src/a.ts')).toBeUndefined();
    const still = await loopwright(['resume', id], { cwd, env });
    expect([still.code, still.stdout]).toEqual([2, expect.stringContaining('lib/b.ts')]);
    const allowed = await loopwright(['resume', id, '--allow', 'lib/b.ts'], { cwd, env });
    expect([allowed.code, allowed.stderr]).toEqual([0, '']);
    expect((await loopwright(['accept', id], { cwd })).code).toBe(0);
    expect(read(cwd, 'lib/b.ts')).toBe('written\n');
  });

  it('--deny halts it whatever is allowed', async () => {
    const { run } = project('src/a.ts');
    const { code, stdout } = await run('--allow', 'src/**', '--deny', 'src/a.ts');
    expect([code, stdout]).toEqual([2, expect.stringContaining('src/a.ts (denied)')]);
  });

  it('what steers checks and agents is protected without any flag, and opened by its exact path alone', async () => {
    const steering = [
      '.github/workflows/ci.yml',
      'AGENTS.md',
      'vitest.config.ts',
      'loopwright.json',
      'check.sh',
    ];
    const { run } = project(...steering);
    const halted = await run();
    expect(halted.code).toBe(2);
    for (const path of steering) expect(halted.stdout).toContain(`${path} (protected`);
    expect((await run('--allow', '**')).code).toBe(2);
    expect((await run('--allow', ...steering)).code).toBe(0);
  });

  it('what a check leaves outside the allowed paths is put back, and is no work', async () => {
    const left =
      'require("node:fs").writeFileSync("left.txt", ""); require("node:fs").accessSync("src/a.ts")';
    const transitions = [
      { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
      { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
    ];
    const work = {
      worker: 'Internal:Command',
      with: { argv: ['node', 'act.mjs', 'write', 'src/a.ts', 'x'] },
    };
    const blocks = {
      Work: { ...work, transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Test' }] },
      Test: { worker: 'Internal:TestRunner', transitions },
    };
    const cwd = repository({
      'w.json': { gates: ['Main__Test'], nodes: { Main: { entry_block: 'Work', blocks } } },
    });
    write(cwd, { '.loopwright/config.json': { commands: { test: ['node', '-e', left] }, sandbox: 'off' } });
    const { worktree } = await runToEnd(cwd, { args: ['--allow', 'src/**', '--no-baseline'] });
    expect([read(worktree, 'src/a.ts'), read(worktree, 'left.txt')]).toEqual(['x', undefined]);
  });

  it('in place too', async () => {
    const { run } = project('AGENTS.md');
    const { code, stdout } = await run('--in-place');
    expect([code, stdout]).toEqual([2, expect.stringContaining('AGENTS.md (protected')]);
  });

  it('ordinary work needs no flag', async () => {
    const { run } = project('src/a.ts', 'package.json', 'README.md');
    expect((await run()).code).toBe(0);
  });
});
