import { describe, expect, it } from 'vitest';
import { clash, readPattern } from './pattern.ts';

const clashing = (a: string, b: string) => clash(readPattern(a), readPattern(b));

describe('clashes', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/b.ts', false],
    ['src/a.ts', './src/a.ts', true],
    ['src/api', 'src/api/x.ts', true],
    ['src/api/', 'src/api/x.ts', true],
    ['src/api/', 'src/api', true],
    ['src/api', 'src/apis/x.ts', false],
    ['src/api/**', 'src/api/deep/x.ts', true],
    ['src/api/**', 'src/app.ts', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a.js', false],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/api/**', true],
    ['src/api/**', 'docs/**', false],
    ['**/*.md', 'docs/a.md', true],
    ['**', 'x', true],
    ['src/.env*', 'src/.env.local', true],
  ])('B-02 %s and %s: %s', (a, b, expected) => {
    expect(clashing(a, b)).toBe(expected);
    expect(clashing(b, a)).toBe(expected);
  });

  it.each(['/etc/passwd', '../x', 'a/../../x', '', '.git/config', 'a\0b'])('refuses %o', (text) => {
    expect(() => readPattern(text)).toThrow('cannot be part of a change plan');
  });
});
