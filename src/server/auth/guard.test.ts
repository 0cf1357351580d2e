import { describe, expect, it } from 'vitest';
import { type Asked, objectionTo } from './guard.ts';

const ALLOWED = { hosts: ['box.tail.net'], origins: ['https://box.tail.net'], scheme: 'http' } as const;
const HOST = '127.0.0.1:4400';
const OWN = 'http://127.0.0.1:4400';
const refused = (asked: Asked) => objectionTo(asked, ALLOWED) !== undefined;

describe('S4 where a request comes from', () => {
  it.each([HOST, 'localhost:9', '[::1]:4400', 'localhost', 'box.tail.net', 'box.tail.net:443'])(
    'it is called %s',
    (host) => expect(refused({ method: 'GET', headers: { host } })).toBe(false),
  );

  it.each([
    undefined,
    '',
    'evil.com',
    'evil.com:4400',
    '127.0.0.1.evil.com',
    'localhost.evil.com',
    '0.0.0.0:4400',
    '[::2]',
    'a@127.0.0.1',
  ])('it is not called %s, even by its own page there', (host) =>
    expect(refused({ method: 'GET', headers: { host, origin: `http://${host}` } })).toBe(true),
  );

  it.each([
    ['GET', undefined, false],
    ['GET', OWN, false],
    ['GET', 'http://127.0.0.1:5173', true],
    ['GET', 'null', true],
    ['POST', OWN, false],
    ['POST', 'https://box.tail.net', false],
    ['POST', 'https://127.0.0.1:4400', true],
    ['POST', 'http://evil.com', true],
    ['POST', undefined, true],
    ['DELETE', undefined, true],
    ['OPTIONS', OWN, true],
  ])('%s from %s', (method, origin, expected) => {
    expect(refused({ method, headers: { host: HOST, origin } })).toBe(expected);
  });

  it.each([
    ['same-origin', false],
    ['none', false],
    ['same-site', true],
    ['cross-site', true],
  ])('a browser that says %s', (site, expected) => {
    expect(refused({ method: 'GET', headers: { host: HOST, 'sec-fetch-site': site } })).toBe(expected);
  });

  it('a script with a bearer has no origin; one that comes with a cookie is a page', () => {
    const authorization = 'Bearer x';
    expect(refused({ method: 'POST', headers: { host: HOST, authorization } })).toBe(false);
    expect(refused({ method: 'POST', headers: { host: HOST, authorization, cookie: 'a=b' } })).toBe(true);
    expect(refused({ method: 'GET', upgrade: true, headers: { host: HOST, authorization } })).toBe(false);
    expect(refused({ method: 'GET', upgrade: true, headers: { host: HOST } })).toBe(true);
  });
});
