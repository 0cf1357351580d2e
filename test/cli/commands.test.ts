import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, write } from './support.ts';

const SCRIPTS = { 'package.json': { scripts: { test: 'node t.js', lint: 'node l.js' } } };

async function commandsOf(cwd: string): Promise<unknown> {
  return JSON.parse((await loopwright(['config', '--json'], { cwd })).stdout).commands;
}

describe('the commands of a project', () => {
  it('config shows each with its source: configured, shared, detected or none', async () => {
    const cwd = tempFolder();
    write(cwd, { ...SCRIPTS, '.loopwright/config.json': { commands: { test: 'node mine.js' } } });
    expect(await commandsOf(cwd)).toEqual([
      { kind: 'test', command: 'node mine.js', source: 'configured', from: '.loopwright/config.json' },
      { kind: 'lint', command: 'npm run lint', source: 'detected', from: 'package.json script "lint"' },
      { kind: 'build', command: null, source: 'none', from: null },
    ]);
    write(cwd, { 'loopwright.json': { commands: { test: 'node ours.js', build: ['make', 'all'] } } });
    expect(await commandsOf(cwd)).toMatchObject([
      { command: 'node mine.js', from: '.loopwright/config.json' },
      { source: 'detected' },
      { command: 'make all', source: 'configured', from: 'loopwright.json' },
    ]);
    const { stdout } = await loopwright(['config'], { cwd });
    expect(stdout).toMatch(/test\s+node mine\.js\s+configured\s+\.loopwright\/config\.json/);
    expect(stdout).toMatch(/lint\s+npm run lint\s+detected\s+package\.json script "lint"/);
  });

  it('doctor says for each whether its program is there', async () => {
    const cwd = tempFolder();
    write(cwd, { ...SCRIPTS, 'loopwright.json': { commands: { test: 'no-such-program --all' } } });
    const { stdout, code } = await loopwright(['doctor'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain(
      '✗ test: no-such-program --all (configured, loopwright.json): there is no program "no-such-program"',
    );
    expect(stdout).toContain('✓ lint: npm run lint (detected, package.json script "lint")');
  });
});
