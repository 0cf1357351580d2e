import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loopwright, ROOT, tempFolder } from './support.ts';

const folder = join(ROOT, 'workflows');
const workflows = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe.each(workflows)('the shipped workflow %s', (file) => {
  const name = file.replace(/\.json$/, '');
  const scenarios = readdirSync(join(folder, `${name}.scenarios`));

  test('TFX-02: is valid and free of warnings', async () => {
    const { code, stdout } = await loopwright(['validate', name, '--strict'], { cwd: tempFolder() });
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 errors, 0 warnings')]);
  });

  test.each(scenarios)('runs as %s expects', async (scenario) => {
    const stubs = join(folder, `${name}.scenarios`, scenario);
    const { code, stdout } = await loopwright(['simulate', name, '--stubs', stubs], { cwd: tempFolder() });
    expect([code, stdout]).toEqual([0, expect.stringContaining('✓ as expected')]);
  });
});
