import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loopwright, tempFolder, write } from './support.ts';
import { repository } from './workspace-support.ts';

it.each([
  ['999.0.0', true],
  ['2.1.300', false],
])(
  'doctor about claude %s: newer than what was tested is told, and nothing is wrong',
  async (version, newer) => {
    const bin = tempFolder();
    write(bin, { claude: `#!/bin/sh\necho '${version} (Claude Code)'\n` });
    chmodSync(join(bin, 'claude'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH']}`, ANTHROPIC_API_KEY: 'not-a-key' };
    const { stdout } = await loopwright(['doctor'], { cwd: repository(), env });
    expect(stdout).toContain(`claude ${version}`);
    expect(/is newer than [\d.]+, with which its adapter was tested/.test(stdout)).toBe(newer);
    expect(stdout).not.toContain('or later is needed');
  },
);
