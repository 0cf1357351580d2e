import { describe, expect, it } from 'vitest';
import { listPrice } from './price.ts';

const MILLION = { input: 1_000_000, cached: 0, output: 1_000_000 };

describe('the list price', () => {
  it('counts cached input at its own rate', () => {
    expect(listPrice('gpt-5', MILLION)).toBeCloseTo(11.25);
    expect(listPrice('gpt-5', { input: 1_000_000, cached: 1_000_000, output: 0 })).toBeCloseTo(0.125);
  });

  it('knows editions of a model, but takes no model for its smaller sister', () => {
    expect(listPrice('gpt-5-2025-08-07', MILLION)).toBeCloseTo(11.25);
    expect(listPrice('models/gemini-3.1-pro-preview', MILLION)).toBeCloseTo(14);
    expect(listPrice('gpt-5-mini', MILLION)).toBeCloseTo(2.25);
    expect(listPrice('gpt-5-tiny', MILLION)).toBeUndefined();
    expect(listPrice('auto', MILLION)).toBeUndefined();
  });
});
