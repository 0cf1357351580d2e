import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deniedBy, findDenied } from './denied-commands.ts';
import { neverFails } from './never-fails.ts';
import { readChain } from './read-chain.ts';
import { splitChain } from './split-chain.ts';

const argvs = (text: string) => {
  const chain = readChain(text);
  return chain.ok
    ? chain.steps.map((step) => (step.kind === 'cd' ? ['cd', ...step.words] : step.argv))
    : chain;
};

describe('chains', () => {
  it('CMD-03 splits at && and nowhere else', () => {
    expect(splitChain('a && b&&c')).toEqual(['a', 'b', 'c']);
    expect(splitChain(`echo "x && y" && 'a && b' && c\\&& d`)).toEqual([
      'echo "x && y"',
      "'a && b'",
      'c\\&& d',
    ]);
  });

  it('CMD-03 leaves the text of the parts alone', () => {
    const [first] = splitChain(String.raw`grep "\[x\]" f && c`);
    expect(first).toBe(String.raw`grep "\[x\]" f`);
    expect(argvs(String.raw`grep "\[x\]" f && c`)).toEqual([['grep', String.raw`\[x\]`, 'f'], ['c']]);
  });

  it('CMD-03 gives back every character but the operators and the blanks around them', () => {
    const text = fc.string({ unit: fc.constantFrom(...`ab "'\\&|`.split('')), maxLength: 20 });
    fc.assert(
      fc.property(text, (chain) => {
        const parts = splitChain(chain);
        const squeezed = (some: string) => some.replaceAll(/\s/g, '');
        expect(squeezed(parts.join('&&'))).toBe(squeezed(chain));
      }),
    );
  });

  it('CMD-03 RUN-17 runs what a real shell runs, in every chain it accepts', () => {
    const words = fc.string({ unit: fc.constantFrom(...`ab "'\\&=#`.split('')), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 3 }), (parts) => {
        const text = parts.map((part) => `x ${part}`).join(' && ');
        const chain = readChain(text);
        // Only `x` can be run in the shell of this test.
        const runs = chain.ok && chain.steps.every((step) => step.kind === 'run' && step.argv[0] === 'x');
        if (runs) expect(argvs(text)).toEqual(argvsOfShell(text));
      }),
      { numRuns: 250 },
    );
  });

  it('CMD-03 a quoted && is not split, and then refused', () => {
    expect(argvs('echo "x && y"')).toMatchObject({ ok: false, code: 'unsupported_format' });
  });

  it.each(['a && ', '&& a', 'a && && b', ''])('CMD-03 an empty part in %j is a format failure', (text) => {
    expect(readChain(text)).toMatchObject({ ok: false, code: 'unsupported_format' });
  });

  it('CMD-04 reads cd as a step of its own', () => {
    expect(argvs('cd packages/db && pwd')).toEqual([['cd', 'packages/db'], ['pwd']]);
  });

  it.each(['source .env', 'export A=1', '. ./x', 'EXPORT A=1', 'ulimit -n 9', 'npm test && set -e'])(
    'CMD-05 %j cannot be run without a shell',
    (text) => expect(readChain(text)).toMatchObject({ ok: false, code: 'unsupported_format' }),
  );

  it('CMD-08 keeps leading assignments with their part', () => {
    const chain = readChain('A=1 node x.js && node y.js');
    expect(chain).toMatchObject({
      ok: true,
      steps: [
        { argv: ['node', 'x.js'], env: { A: '1' } },
        { argv: ['node', 'y.js'], env: {} },
      ],
    });
    expect(readChain('A=1')).toMatchObject({ ok: false, code: 'unsupported_format' });
  });
});

/** `x` shows its arguments; a shell calls it once for each part. */
function argvsOfShell(text: string): string[][] {
  const script = `x() { printf 'x\\0'; for a; do printf '%s\\0' "$a"; done; printf '\\1'; }; ${text}`;
  const output = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', stdio: 'pipe' });
  return output
    .split('\u0001')
    .slice(0, -1)
    .map((call) => call.split('\0').slice(0, -1));
}

describe('denied commands', () => {
  it.each([
    'sudo make',
    'SUDO make',
    'make && sudo make install',
    'rm -rf /',
    'rm   -rf  /',
    'rm -fr /tmp/x',
    "su'do' make",
    'chmod 777 x',
  ])('CMD-10 GRD-01 finds %j', (command) => {
    expect(findDenied([command])).toMatchObject([{ command }]);
    expect(readChain(command)).toMatchObject({ ok: false, code: 'denied_command' });
  });

  it.each(['node pseudo.js', 'rm -rf dist', 'pnpm run publish', 'chmod 755 x'])(
    'CMD-10 lets %j pass',
    (command) => {
      expect(deniedBy(command)).toBeUndefined();
    },
  );

  it('CMD-10 takes patterns of the configuration, and what is no pattern as a text', () => {
    expect(deniedBy('curl http://x', ['curl.*http'])).toBe('curl.*http');
    expect(deniedBy('a [b', ['[b'])).toBe('[b');
    expect(deniedBy('anything', [' '])).toBeUndefined();
  });
});

describe('commands that can never fail', () => {
  it.each(['npm test || true', 'npm test; exit 0', 'true', ':', 'exit 0', 'make ; true'])(
    'calls %j out',
    (command) => {
      expect(neverFails(command)).toEqual(expect.any(String));
    },
  );

  it('calls a chain out only when no part of it could fail', () => {
    expect(neverFails('cd a && true')).toEqual(expect.any(String));
    expect(neverFails('npm test && true')).toBeUndefined();
    expect(readChain('npm test || true')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('hides every failure') as string,
    });
  });
});
