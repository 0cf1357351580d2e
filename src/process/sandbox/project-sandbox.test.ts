import { expect, it } from 'vitest';
import { UsageError } from '../../kernel/errors.ts';
import type { SandboxLevel } from './enclosure.ts';
import { ProjectSandbox } from './project-sandbox.ts';

const missing = { sandbox: undefined, why: 'bubblewrap is not installed', next: 'Install it.' } as const;
const child = { kind: 'check', tree: '/nowhere' } as const;

function on(level: SandboxLevel): ProjectSandbox {
  const places = { stateDir: '/s', home: '/h', cacheDir: '/c', gitDir: undefined, writable: [] };
  const network = { agent: [], program: 'none', check: 'none', setup: 'none' } as const;
  return new ProjectSandbox({ level, ...places, network }, undefined, async () => missing);
}

it('a strict sandbox that this machine does not have starts nothing', async () => {
  await expect(on('strict').wallFor(child)).rejects.toThrow(UsageError);
  await expect(on('strict').wallFor(child)).rejects.toThrow(
    'Nothing is started: the sandbox is to be strict, and bubblewrap is not installed.',
  );
});

it('the standard one goes on without, and says so', async () => {
  await expect(on('standard').wallFor(child)).resolves.toBeUndefined();
  await expect(on('standard').evidence()).resolves.toBe('no sandbox: bubblewrap is not installed');
});
