import { describe, expect, it } from 'vitest';
import { Attempts } from './attempts.ts';
import { Callers } from './callers.ts';

describe('S2 S3 who may call', () => {
  it('a token has 256 bits, is good once and for two minutes', () => {
    let now = 0;
    const callers = new Callers(() => now);
    const [first, late] = [callers.newToken(), callers.newToken()];
    expect(Buffer.from(first, 'base64url')).toHaveLength(32);
    expect(callers.redeem(first)).toBeDefined();
    expect(callers.redeem(first)).toBeUndefined();
    now = 120_001;
    expect(callers.redeem(late)).toBeUndefined();
    expect(callers.redeem('')).toBeUndefined();
  });

  it('both halves of one caller are needed, and none of another', () => {
    const callers = new Callers();
    const halves = () => callers.redeem(callers.newToken()) ?? { cookie: '', proof: '' };
    const [one, other] = [halves(), halves()];
    expect(callers.withHalves(one)?.by).toBe('browser');
    expect(callers.withHalves({ cookie: one.cookie, proof: other.proof })).toBeUndefined();
    expect(callers.withHalves({ cookie: one.cookie, proof: one.cookie })).toBeUndefined();
    expect(callers.withBearer(one.cookie)).toBeUndefined();
    expect(callers.withBearer(callers.newBearer())?.by).toBe('bearer');
    const known = callers.withHalves(one);
    if (known) callers.forget(known);
    expect(callers.withHalves(one)).toBeUndefined();
    expect(callers.withHalves(other)).toBeDefined();
  });
});

describe('S12 wrong tokens', () => {
  it('ten within a minute close it for a minute', () => {
    let now = 0;
    const attempts = new Attempts(() => now);
    for (let wrong = 0; wrong < 9; wrong++) attempts.wrong();
    expect(attempts.isClosed).toBe(false);
    now = 61_000;
    attempts.wrong();
    expect(attempts.isClosed).toBe(false);
    for (let wrong = 0; wrong < 9; wrong++) attempts.wrong();
    expect(attempts.isClosed).toBe(true);
    now += 60_001;
    expect(attempts.isClosed).toBe(false);
  });
});
