import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { mayHaveToken } from '../../src/config/user/token-hosts.ts';
import { loopwright, tempFolder, write } from '../cli/support.ts';
import { userSettings } from '../user-folder.ts';

/** A server that a hostile repository names, and what was sent to it. */
async function thief(): Promise<{ url: string; heard: IncomingHttpHeaders[] }> {
  const heard: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

const TOKEN = 'ghp_of_ada_and_nobody_else';

describe('the forge token', () => {
  it.each(['file', 'environment'])(
    'is not sent where the repository says, over plain http (%s)',
    async (by) => {
      const { url, heard } = await thief();
      const cwd = tempFolder();
      const repository = { url: 'https://github.com/acme/widget', api: url };
      write(cwd, { '.loopwright/config.json': by === 'file' ? { repository } : {} });
      const named = by === 'file' ? {} : { REPO_URL: repository.url, GITHUB_API_URL: url };
      const env = { GITHUB_TOKEN: TOKEN, LOOPWRIGHT_TRUST: '1', ...named };
      const { code, stderr } = await loopwright(['task', 'import', '--github'], { cwd, env });
      expect(heard).toEqual([]);
      expect(code).toBe(1);
      expect(stderr).toContain(`${url} gets no token: a token is sent over https only`);
      expect(stderr).toContain('tokenHosts');
    },
  );

  it('goes to a server of this machine that the person allows', async () => {
    const { url, heard } = await thief();
    const cwd = tempFolder();
    const env = {
      GITHUB_TOKEN: TOKEN,
      LOOPWRIGHT_TRUST: '1',
      REPO_URL: 'https://github.com/acme/widget',
      GITHUB_API_URL: url,
      ...userSettings(tempFolder(), { tokenHosts: [url] }),
    };
    expect((await loopwright(['task', 'import', '--github'], { cwd, env })).code).toBe(0);
    expect(heard.map(({ authorization }) => authorization)).toEqual([`token ${TOKEN}`]);
  });

  it.each([
    ['https://github.com/o/r', true],
    ['https://api.github.com', true],
    ['http://github.com/o/r', false],
    ['https://github.com:8443/o/r', false],
    ['https://github.com.evil.example/o/r', false],
    ['https://evil.example/github.com/o/r', false],
    ['https://evilgithub.com/o/r', false],
    ['https://github.com@evil.example/o/r', false],
    ['git@github.com:o/r', false],
    ['/srv/o/r', false],
  ])('by default, %s: %s', (url, may) => {
    expect(mayHaveToken(url, ['github.com'])).toBe(may);
  });

  it('goes nowhere over http but to this machine, also when the person lists it', async () => {
    const cwd = tempFolder();
    const env = userSettings(tempFolder(), { tokenHosts: ['http://git.example'] });
    const { code, stderr } = await loopwright(['config'], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toContain('tokenHosts.0: must be a host');
  });
});

describe('what a project must not decide', () => {
  it('a project that unmasks a secret is not obeyed, and it is said', async () => {
    const cwd = tempFolder();
    write(cwd, {
      '.loopwright/config.json': { secrets: ['!APP_TOKEN'], commands: { test: ['node', 'leak.js'] } },
      'leak.js': 'console.log(process.env.SHOWN); process.exit(1)',
      'w.json': {
        nodes: { N: { entry_block: 'B', blocks: { B: { worker: 'Internal:TestRunner', transitions: [] } } } },
      },
    });
    const env = { APP_TOKEN: 'a-long-secret-value', SHOWN: 'a-long-secret-value', LOOPWRIGHT_TRUST: '1' };
    write(cwd, {
      '.loopwright/config.json': {
        secrets: ['!APP_TOKEN'],
        commands: { test: ['node', 'leak.js'] },
        environment: { check: ['SHOWN'] },
      },
    });
    const { stdout, stderr } = await loopwright(['run', '-w', 'w.json', 'x', '--in-place'], { cwd, env });
    expect(stdout + stderr).not.toContain('a-long-secret-value');
    expect(stderr).toContain('The project asks to show what is masked (secrets: !APP_TOKEN); only you can');
  });

  it('a project cannot ask for less sandbox than the person allows; the environment of the person can', () => {
    const cwd = tempFolder();
    write(cwd, { '.loopwright/config.json': { sandbox: 'off' } });
    const level = (env: object) => loadConfig(cwd, { HOME: cwd, ...env }).sandbox.level;
    expect(level({})).toBe('standard');
    expect(level({ LOOPWRIGHT_SANDBOX: 'off' })).toBe('off');
    expect(level(userSettings(tempFolder(), { sandboxFloor: 'strict' }))).toBe('strict');
    expect(level(userSettings(tempFolder(), { sandboxFloor: 'off' }))).toBe('off');
    expect(loadConfig(cwd, { HOME: cwd }).refused).toEqual([
      expect.stringContaining('The project asks for the sandbox "off"; "standard" is used'),
    ]);
  });

  it('is shown with its source', async () => {
    const cwd = tempFolder();
    const env = userSettings(tempFolder(), { tokenHosts: ['git.example'] });
    const { stdout } = await loopwright(['config', '--json'], { cwd, env });
    const { settings, userFile } = JSON.parse(stdout);
    expect(userFile).toBe(join(env.XDG_CONFIG_HOME, 'loopwright/config.json'));
    expect(settings).toContainEqual(
      expect.objectContaining({ key: 'user.tokenHosts', value: ['git.example'], source: 'user' }),
    );
  });
});

describe("the person's own file", () => {
  const place = () => {
    const folder = tempFolder();
    const env = userSettings(folder, { secrets: ['MINE'] });
    return { cwd: tempFolder(), env, file: join(folder, 'loopwright/config.json') };
  };

  it.each([
    ['the file', 0o666, ''],
    ['its folder', 0o777, '..'],
  ])('is refused when others can write %s', async (_, mode, up) => {
    const { cwd, env, file } = place();
    chmodSync(join(file, up), mode);
    const { code, stderr } = await loopwright(['config'], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toContain('can be written by others');
    expect(stderr).toContain('chmod go-w');
  });

  it.skipIf(process.getuid?.() !== 0)('is refused when it belongs to another user', () => {
    const { cwd, env, file } = place();
    chownSync(file, 65_534, 65_534);
    expect(() => loadConfig(cwd, env)).toThrow('belongs to another user');
  });

  it('is not one of the repository: a relative XDG_CONFIG_HOME counts for nothing', () => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, 'x/loopwright'), { recursive: true });
    writeFileSync(join(cwd, 'x/loopwright/config.json'), '{"secrets": ["!A_TOKEN"]}');
    const config = loadConfig(cwd, { HOME: cwd, XDG_CONFIG_HOME: 'x', A_TOKEN: 'abcdefgh' });
    expect(config.secrets).toEqual(['A_TOKEN']);
    expect(readFileSync(join(cwd, 'x/loopwright/config.json'), 'utf8')).toContain('!A_TOKEN');
  });
});
