import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { StorageError } from '../kernel/errors.ts';
import { openProject } from './project.ts';
import { storageProblem } from './storage-problem.ts';

const system = (code: string, more: object) => Object.assign(new Error(`${code}: no`), { code, ...more });

it.each([
  ['EPERM', 'no-rights'],
  ['EACCES', 'no-rights'],
  ['EROFS', 'read-only'],
  ['ENOSPC', 'full'],
])('a folder that the system guards with %s is a storage problem', (code, reason) => {
  const problem = storageProblem(system(code, { path: '/x', syscall: 'mkdir' }));
  expect(problem).toBeInstanceOf(StorageError);
  expect([problem?.kind, problem?.reason]).toEqual(['storage', reason]);
});

it('a program that may not be run, and a defect of ours, are none', () => {
  expect(storageProblem(system('EACCES', { path: 'x', syscall: 'spawn x' }))).toBeUndefined();
  expect(storageProblem(new TypeError('x'))).toBeUndefined();
});

/** Nobody can make a folder there, not even root. */
const GUARDED = '/sys/kernel';

it.skipIf(!existsSync(GUARDED))('a use case of a folder that cannot be written says so', async () => {
  await expect(openProject(GUARDED).addTask('x')).rejects.toMatchObject({ kind: 'storage' });
});
