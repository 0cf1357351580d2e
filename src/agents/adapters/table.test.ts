import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { agentIndex, writeAgentIndex } from '../../../scripts/write-agent-index.mjs';
import { SETTINGS } from '../../config/runtime/table.ts';
import { AdapterRegistry } from '../registry/registry.ts';
import { streamNames } from './open-stream.ts';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../..');
const folders = readdirSync(here, { recursive: true })
  .map(String)
  .flatMap((path) => /^([^/\\]+)[/\\]adapter\.json$/.exec(path)?.[1] ?? []);

describe('the folders of the built-in agents', () => {
  it('are all registered, and nothing else is', () => {
    expect(folders.length).toBeGreaterThan(0);
    expect(new AdapterRegistry().types()).toEqual(folders.toSorted());
  });

  it('are what the files written from them say', () => {
    for (const [file, content] of Object.entries(agentIndex(root)))
      expect(readFileSync(join(root, file), 'utf8')).toBe(content);
  });

  it.each(folders)('%s can be chosen in the settings', (name) => {
    expect(SETTINGS.agents.all.kind.text.safeParse(name).success).toBe(true);
    expect(SETTINGS.agents.all.kind.text.safeParse(`${name}-unknown`).success).toBe(false);
  });

  it.each(folders)('%s reads its output with a stream that exists', (name) => {
    const { modes } = JSON.parse(readFileSync(join(here, name, 'adapter.json'), 'utf8')) as {
      modes: { [mode: string]: { stream?: string } };
    };
    const wanted = Object.values(modes).flatMap(({ stream }) => stream ?? []);
    expect(streamNames()).toEqual(expect.arrayContaining(wanted));
  });
});

describe('a folder that is added', () => {
  const copy = mkdtempSync(join(tmpdir(), 'lw-agents-'));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const modulesOf = (path: string) => import(/* @vite-ignore */ join(copy, path)) as Promise<unknown>;

  it('is an agent, with a reader of its own or with a definition alone', async () => {
    for (const layer of ['agents', 'manifest', 'config', 'process', 'kernel'])
      cpSync(join(root, 'src', layer), join(copy, 'src', layer), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const adapters = join(copy, 'src/agents/adapters');
    for (const name of ['new-agent', 'plain']) {
      mkdirSync(join(adapters, name));
      cpSync(join(adapters, 'claude/adapter.json'), join(adapters, name, 'adapter.json'));
    }
    writeFileSync(
      join(adapters, 'new-agent/adapter.ts'),
      `import type { BuiltInAgent } from '../built-in-agent.ts';
import { TextStream } from '../text-stream.ts';
import definition from './adapter.json' with { type: 'json' };
export const agent: BuiltInAgent = { definition, streams: { 'new-text': (context) => new TextStream(context) } };
`,
    );
    writeAgentIndex(copy);

    const { AdapterRegistry: Registry } = (await modulesOf('src/agents/registry/registry.ts')) as {
      AdapterRegistry: typeof AdapterRegistry;
    };
    expect(new Registry().types()).toEqual([...folders, 'new-agent', 'plain'].toSorted());
    const streams = (await modulesOf('src/agents/adapters/open-stream.ts')) as {
      streamNames: typeof streamNames;
    };
    expect(streams.streamNames()).toContain('new-text');
    const { SETTINGS: settings } = (await modulesOf('src/config/runtime/table.ts')) as {
      SETTINGS: typeof SETTINGS;
    };
    expect(settings.agents.all.kind.text.safeParse('new-agent').success).toBe(true);
  });
});
