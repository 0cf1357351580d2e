import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from './serve.ts';
import { ask, halted, logIn, served, TestSocket, tempProject } from './testing.ts';

describe('who is let in', () => {
  it('S1 it listens on this machine alone', async () => {
    const { serving } = await served();
    expect(serving.address).toBe(`http://127.0.0.1:${serving.port}`);
    const { networkInterfaces } = await import('node:os');
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each && !each.internal && each.family === 'IPv4');
    if (!outside) return;
    const reached = await fetch(`http://${outside.address}:${serving.port}/api/v1/health`).then(
      () => true,
      () => false,
    );
    expect(reached).toBe(false);
  });

  it('S1 a port that is taken is passed over, and one that was asked for is not', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { project } = await served();
    await expect(serve(project, { port })).rejects.toThrow('is taken');
  });

  it('S2 S3 a token becomes a cookie and a proof; one of them alone is nothing', async () => {
    const server = await served();
    const headers = await logIn(server);
    expect((await server.raw('/me', { headers })).body).toMatchObject({ by: 'browser', readOnly: false });
    const { cookie = '', 'x-loopwright': proof = '', origin = '' } = headers;
    for (const part of [{}, { origin }, { cookie, origin }, { 'x-loopwright': proof, origin }]) {
      expect((await server.raw('/me', { headers: part })).status).toBe(401);
    }
    expect(await server.raw('/auth', { method: 'DELETE', headers })).toMatchObject({ status: 200 });
    expect((await server.raw('/me', { headers })).status).toBe(401);
  });

  it('S2 a token is good once', async () => {
    const { serving, raw } = await served();
    const token = serving.newUrl().split('#')[1];
    const post = { method: 'POST', headers: { origin: serving.address }, body: { token } };
    const first = await raw('/auth', post);
    expect(first.headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^lw-${serving.port}-\\w+=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/api/v1$`),
    );
    expect((await raw('/auth', post)).status).toBe(401);
  });

  it('S3 the halves of one server are worth nothing at another', async () => {
    const headers = await logIn(await served());
    const other = await served();
    const there = { ...headers, origin: other.serving.address };
    expect((await other.raw('/me', { headers: there })).status).toBe(401);
  });

  it('S4 a foreign name, page or site is refused first, also for files and before a token is looked at', async () => {
    const { serving, call, raw } = await served();
    const token = serving.newUrl().split('#')[1];
    const evil = { origin: 'http://evil.com' };
    expect((await call('/me', { headers: { host: 'evil.com' } })).status).toBe(403);
    expect((await ask(serving.port, '/', { headers: { host: 'evil.com' } })).status).toBe(403);
    expect((await call('/me', { headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403);
    expect((await raw('/auth', { method: 'POST', headers: evil, body: { token } })).status).toBe(403);
    const own = { origin: serving.address };
    expect((await raw('/auth', { method: 'POST', headers: own, body: { token } })).status).toBe(200);
    const options = await call('/me', { method: 'OPTIONS' });
    expect(options.status).toBe(403);
    expect(Object.keys(options.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('S4 a name that a tunnel gives it has to be said', async () => {
    const { call } = await served({ allowHosts: ['box.lan'], allowOrigins: ['https://box.lan'] });
    expect((await call('/me', { headers: { host: 'box.lan' } })).status).toBe(200);
    expect((await call('/me', { headers: { host: 'other.lan' } })).status).toBe(403);
  });

  it('S5 what changes something is JSON, and not large', async () => {
    const { serving, raw } = await served();
    const headers = { origin: serving.address };
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    const post = (more: object) => raw('/auth', { method: 'POST', headers, ...more });
    expect((await post({ headers: form, body: 'token=x' })).status).toBe(400);
    expect((await post({ headers: { ...headers, 'content-type': 'text/plain' }, body: '{}' })).status).toBe(
      400,
    );
    expect((await post({ body: '{"token":' })).status).toBe(400);
    expect((await post({ body: { token: 'x', more: 1 } })).status).toBe(400);
    const large = await post({ body: { token: 'x'.repeat(1024 * 1024) } });
    expect([large.status, large.body]).toEqual([413, expect.objectContaining({ code: 'too-large' })]);
  });

  it('S6 every answer says what the page may do, and the API is kept by nobody', async () => {
    const { serving, call, raw } = await served();
    for (const { headers } of [await call('/me'), await raw('/me'), await ask(serving.port, '/', {})]) {
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
      expect(headers['content-security-policy']).toContain(
        "require-trusted-types-for 'script'; trusted-types lw",
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
    expect((await call('/me')).headers['cache-control']).toBe('no-store');
  });

  it('S8 an address that names a file names nothing', async () => {
    const server = await served();
    writeFileSync(join(server.dir, 'secret.txt'), 'open sesame');
    const id = await halted(server.sessions);
    for (const path of [
      '/sessions/..%2f..%2fsecret.txt',
      '/sessions/%2e%2e/steps',
      `/sessions/${id}%2f..%2f..%2f..%2fsecret.txt`,
      `/sessions/${id}/steps/..%2f1`,
      '/tasks/..%2f..%2fsecret.txt',
    ]) {
      const { status, text } = await server.call(path);
      expect([path, status >= 400 && status < 500, text.includes('sesame')]).toEqual([path, true, false]);
    }
    for (const path of [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '//etc/passwd',
      '/assets/../../package.json',
    ]) {
      const { status, text } = await ask(server.serving.port, path, {});
      expect([
        path,
        status === 404 || /was not built|<div id="app">/.test(text),
        text.includes('sesame'),
      ]).toEqual([path, true, false]);
    }
  });

  it('S9 neither the environment nor a key is in anything it says', async () => {
    process.env['LW_TEST_SECRET_TOKEN'] = 'open-sesame-open';
    onTestFinished(() => {
      delete process.env['LW_TEST_SECRET_TOKEN'];
    });
    const server = await served();
    await halted(server.sessions);
    for (const path of ['/me', '/overview', '/sessions', '/openapi.json']) {
      expect((await server.call(path)).text).not.toContain('open-sesame');
    }
  });

  it('S11 every call of the API, and every refusal, is written down without what it carried', async () => {
    const { dir, serving, call, raw } = await served();
    const token = serving.newUrl().split('#')[1] ?? '';
    await raw('/auth', { method: 'POST', headers: { origin: serving.address }, body: { token } });
    await call('/sessions?q=hidden');
    await raw('/me');
    await ask(serving.port, '/', { headers: { host: 'evil.com' } });
    const text = readFileSync(join(dir, '.loopwright/logs/ui-access.jsonl'), 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { route: string; status: number; caller: string | null });
    expect(lines.map(({ route, status }) => [route, status])).toEqual([
      ['/auth', 200],
      ['/sessions', 200],
      ['/me', 401],
      ['file', 403],
    ]);
    expect(lines[1]?.caller).toMatch(/^[0-9a-f]{8}$/);
    expect(text).not.toContain('hidden');
    expect(text).not.toContain(token);
  });

  it('S12 ten wrong tokens, and nobody is heard for a while, whatever they say', async () => {
    const { serving, call, raw } = await served();
    const good = serving.newUrl().split('#')[1];
    const post = (token: string | undefined) =>
      raw('/auth', { method: 'POST', headers: { origin: serving.address }, body: { token } });
    for (let wrong = 0; wrong < 5; wrong++) expect((await post('wrong')).status).toBe(401);
    for (let wrong = 0; wrong < 5; wrong++) {
      expect((await raw('/me', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    }
    expect((await post(good)).status).toBe(429);
    expect((await call('/me')).status).toBe(429);
  });

  it('a page is served when it was built: hashed names for ever, the document never', async () => {
    const files = join(tempProject(), 'ui');
    mkdirSync(join(files, 'assets'), { recursive: true });
    writeFileSync(join(files, 'index.html'), `<title>x</title>${' '.repeat(4000)}`);
    writeFileSync(join(files, 'assets', 'app-D3adB33f.js'), 'export {}');
    const { serving } = await served({ files });
    const document = await ask(serving.port, '/sessions/01M7/flow', {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(document.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-encoding': 'gzip' });
    const script = await ask(serving.port, '/assets/app-D3adB33f.js', {});
    expect([script.text, script.headers['cache-control']]).toEqual([
      'export {}',
      'public, max-age=31536000, immutable',
    ]);
    expect((await ask(serving.port, '/assets/none.js', {})).status).toBe(404);
  });
});

describe('sockets', () => {
  it('S3 S4 a socket comes from our page, and its first words are the proof', async () => {
    const server = await served();
    const { origin = '', cookie = '', 'x-loopwright': proof = '' } = await logIn(server);
    const { port } = server.serving;
    expect(await new TestSocket(port, { cookie }).closed).toBe(403);
    expect(await new TestSocket(port, { cookie, origin: 'http://127.0.0.1:5173' }).closed).toBe(403);
    expect(await new TestSocket(port, { cookie, origin, host: 'evil.com' }).closed).toBe(403);
    for (const wrong of [undefined, 'wrong']) {
      const socket = new TestSocket(port, { cookie, origin });
      await socket.say({ watch: ['overview'], ...(wrong === undefined ? {} : { proof: wrong }) });
      expect(await socket.closed).toBe(1008);
      expect(socket.messages).toEqual([{ problem: expect.any(String), code: 'unauthorised' }]);
    }
    const socket = new TestSocket(port, { cookie, origin });
    await socket.say({ proof, watch: ['overview'] });
    await socket.until(() => socket.messages.some((message) => 'hello' in message));
  });

  it('S12 there are so many sockets and no more, and so many topics', async () => {
    const server = await served();
    const headers = await logIn(server);
    const { origin = '', cookie = '', 'x-loopwright': proof = '' } = headers;
    const sockets: TestSocket[] = [];
    for (let one = 0; one < 32; one++) {
      const socket = new TestSocket(server.serving.port, { origin, cookie });
      await socket.say({ proof, watch: ['overview'] });
      sockets.push(socket);
    }
    await sockets.at(-1)?.until(() => sockets.at(-1)?.messages.some((message) => 'hello' in message));
    expect(await new TestSocket(server.serving.port, { origin, cookie }).closed).toBe(1013);
    sockets[0]?.close();
    await sockets[0]?.closed;
    const greedy = new TestSocket(server.serving.port, { origin, cookie });
    const watch = Array.from({ length: 65 }, (_, n) => `session:S${n}` as const);
    await greedy.say({ proof, watch });
    expect(await greedy.closed).toBe(1008);
  });
});

describe('S13 whoever is inside an agent', () => {
  it('opens no door', async () => {
    process.env['LOOPWRIGHT_SESSION'] = '01M7';
    onTestFinished(() => {
      delete process.env['LOOPWRIGHT_SESSION'];
    });
    const { project } = await served();
    await expect(project.openDoor(() => 'x')).rejects.toThrow('may not start another one');
    await expect(project.knock('url')).rejects.toThrow('only a person decides');
  });

  it('a door is for this user alone, answers with what it was asked for, and goes with its server', async () => {
    const { project } = await served();
    await expect(project.knock('url')).rejects.toThrow('No dashboard runs');
    const door = await project.openDoor((request) => `the ${request}`);
    const keys = () => readdirSync(join(project.dir, '.loopwright/dashboard'));
    const [file = ''] = keys();
    expect(statSync(join(project.dir, '.loopwright/dashboard', file)).mode & 0o077).toBe(0);
    expect([await project.knock('url'), await project.knock('bearer')]).toEqual(['the url', 'the bearer']);
    // Whoever finds the socket, and not what stands beside the sessions, is told nothing.
    writeFileSync(join(project.dir, '.loopwright/dashboard', file), 'another key');
    await expect(project.knock('url')).rejects.toThrow('cannot show who they are');
    door.close();
    expect(keys()).toEqual([]);
    await expect(project.knock('url')).rejects.toThrow('No dashboard runs');
  });
});

it('nothing of a server is left behind in the project but its log', async () => {
  const { dir, serving, call } = await served();
  await call('/me');
  await serving.close();
  expect(readdirSync(join(dir, '.loopwright'))).toEqual(['logs', 'sessions']);
  expect(existsSync(join(dir, '.loopwright/loopwright.db'))).toBe(false);
});
