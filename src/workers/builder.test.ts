import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentText } from '../manifest/segment.ts';
import { builder } from './builder.ts';
import type { WorkerServices } from './services.ts';
import { contextFor, fakeProcesses, recordedRun, servicesFor } from './testing.ts';

const fake = (name: string) => fileURLToPath(new URL(`../../test/fake-agents/${name}.mjs`, import.meta.url));

let worktree: string;
beforeEach(async () => {
  worktree = await mkdtemp(join(tmpdir(), 'lw-build-'));
});
afterEach(() => rm(worktree, { recursive: true, force: true }));

const build = (services: Partial<WorkerServices>) =>
  builder(servicesFor(services)).run(contextFor({ worktree }), recordedRun());

describe('Internal:RunBuilder', () => {
  it('WRK-28 runs the build command in the worktree and keeps both streams as one log', async () => {
    const { processes, requests } = fakeProcesses();
    await build({ processes });
    expect(requests).toMatchObject([{ argv: ['npm', 'run', 'build'], cwd: worktree, streams: 'merged' }]);
    const failing = `${process.execPath} -e "process.stdout.write('a'),process.stderr.write('b'),process.exitCode=1"`;
    const result = await build({ commands: { build: failing } });
    expect(result.new_payload).toMatchObject([{ type: 'BUILD_RESULT', content: 'ab' }]);
  });

  it('WRK-29 exit code 0 is a success', async () => {
    expect(await build(fakeProcesses())).toEqual({ signal: 'SIGNAL:SUCCESS', new_payload: [] });
  });

  it('WRK-30 another exit code is a failure with the complete raw log', async () => {
    const result = await build({ commands: { build: [process.execPath, fake('flood'), '1', '2'] } });
    expect(result.signal).toBe('SIGNAL:FAILURE');
    const [segment] = result.new_payload;
    const content = segment ? contentText(segment) : '';
    expect(content).toHaveLength(1024 * 1024);
    expect(content.startsWith('line 0000000000 ')).toBe(true);
    expect(content).toContain('line 0000016383 ');
    expect(content).not.toContain('left out');
  });

  it('WRK-30 a build that cannot start is a failure that names it', async () => {
    const result = await build({ commands: { build: 'no-such-builder' } });
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ type: 'BUILD_RESULT' }] });
    expect(result.new_payload[0]?.content).toMatch(/no-such-builder.*ENOENT/);
  });

  it('WRK-03 fails without a worktree', async () => {
    const result = await builder(servicesFor()).run(contextFor(), recordedRun());
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ type: 'ERROR' }] });
  });
});
