import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../config/runtime/table.ts';
import { AdapterRegistry } from '../registry/registry.ts';
import { streamNames } from './open-stream.ts';

const here = new URL('./', import.meta.url);
const folders = readdirSync(here, { recursive: true })
  .map(String)
  .flatMap((path) => /^([^/\\]+)[/\\]adapter\.json$/.exec(path)?.[1] ?? []);

describe('the folders of the agents that are built in', () => {
  it('are all registered, and nothing else is', () => {
    expect(folders.length).toBeGreaterThan(0);
    expect(new AdapterRegistry().types()).toEqual(folders.toSorted());
  });

  it.each(folders)('%s can be chosen in the settings', (name) => {
    expect(SETTINGS.agents.all.kind.text.safeParse(name).success).toBe(true);
    expect(SETTINGS.agents.all.kind.text.safeParse(`${name}-unknown`).success).toBe(false);
  });

  it.each(folders)('%s reads its output with a stream that there is', (name) => {
    const { modes } = JSON.parse(readFileSync(new URL(`${name}/adapter.json`, here), 'utf8')) as {
      modes: { [mode: string]: { stream?: string } };
    };
    const wanted = Object.values(modes).flatMap(({ stream }) => stream ?? []);
    expect(streamNames()).toEqual(expect.arrayContaining(wanted));
  });
});
