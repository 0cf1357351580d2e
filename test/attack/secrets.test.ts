import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { keyIn, withoutKeys } from '../../src/kernel/key-shapes.ts';
import { createMasker } from '../../src/kernel/mask.ts';
import { loopwright, start, write } from '../cli/support.ts';
import { flow, git, repository } from '../cli/workspace-support.ts';
import { ModeLab, write as put, REQUEST } from '../modes/lab.ts';

const labs: { dispose(): void }[] = [];
afterEach(() => {
  for (const lab of labs.splice(0)) lab.dispose();
});

/** Keys are made here of pieces, so that no scanner stumbles over this file. */
const joined = (...pieces: readonly string[]) => pieces.join('');
const GITHUB = joined('gh', 'p_', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2');
const KEYS: { readonly [what: string]: string } = {
  'an AWS access key': joined('AK', 'IA', 'QYLPMN5HIJKLMNOP'),
  'a GitHub token': GITHUB,
  'a private key': joined('-----BEGIN RSA PRIV', 'ATE KEY', '-----'),
  'a Slack token': joined('xox', 'b-', '2222222222-3333333333-aBcDeFgHiJkLmNoPqRsTuVwX'),
  'a Google API key': joined('AI', 'za', 'SyD3aB5cE7fG9hJ2kL4mN6pQ8rS1tU3vW5x'),
  'a Stripe key': joined('sk_', 'live_', '4eC39HqLyjWDarjtT1zdp7dc'),
  'an npm token': joined('np', 'm_', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2'),
  'an Anthropic key': joined('sk-', 'ant', '-api03-aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'),
  'an OpenAI key': joined('sk-', 'proj', '-aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2dE3fG4hI5'),
  'a JSON web token': joined(
    'ey',
    'J',
    'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P',
  ),
  'a password in an address': 'postgres://app:hunter2hunter2@db.internal:5432/x',
};

describe('keys that their shape gives away', () => {
  it.each(Object.entries(KEYS))('%s', (what, key) => {
    expect(keyIn(`const k = "${key}";`)).toBe(what);
    expect(withoutKeys(`x ${key} y`)).not.toContain(key.slice(-12));
  });

  it.each([
    ['a commit', 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3'],
    ['a digest', randomBytes(32).toString('hex')],
    ['an integrity', `sha512-${randomBytes(64).toString('base64')}`],
    ['a UUID', randomUUID()],
    ['a picture', `data:image/png;base64,${randomBytes(900).toString('base64')}`],
    ['a lock file', '"resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz"'],
    ['an ssh address', 'git@github.com:o/r.git and ssh://git@github.com/o/r.git'],
    [
      'an address with a placeholder',
      'https://${USER}:${PASS}@host, https://user:***@host, https://<user>:<pw>@h',
    ],
    ['an example', joined('AK', 'IA', 'IOSFODNN7EXAMPLE')],
    ['words', 'sk-button, npm_config_registry, ghp_short, the key is in the vault'],
    ['a public key', '-----BEGIN PUBLIC KEY-----'],
    ['a date and a ratio', 'http://a/b at 12:30:45 @noon'],
  ])('are not found in %s', (_, text) => {
    expect(keyIn(text)).toBeUndefined();
    expect(withoutKeys(text)).toBe(text);
  });
});

describe('masking', () => {
  const secret = 'pä$$ word/7+x=';
  const masker = createMasker([secret]);
  it.each([
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 of a name and a password', Buffer.from(`user:${secret}`).toString('base64')],
    ['base64 inside other text', Buffer.from(`ab${secret}cd`).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['percent signs', encodeURIComponent(secret)],
    ['hexadecimal digits', Buffer.from(secret).toString('hex')],
    ['big hexadecimal digits', Buffer.from(secret).toString('hex').toUpperCase()],
    ['JSON', JSON.stringify(secret)],
  ])('knows a secret as %s', (_, form) => expect(masker.mask(`<${form}>`)).toContain('***'));

  it.each([
    ['https://user:hunter2@example.org/x', 'https://user:***@example.org/x'],
    ['postgres://app:p@db/x and more', 'postgres://app:***@db/x and more'],
    [`https://${GITHUB}@github.com/o/r`, 'https://***@github.com/o/r'],
    ['ssh://git@github.com/o/r', 'ssh://git@github.com/o/r'],
    ['http://localhost:3000/a@b', 'http://localhost:3000/a@b'],
    ['see https://example.org: it', 'see https://example.org: it'],
    ['://https://:hunter2@example.org', '://https://:***@example.org'],
  ])('%s', (text, shown) => expect(createMasker([]).mask(text)).toBe(shown));

  it('is the same wherever the text is cut', () => {
    const piece = fc.constantFrom(
      '://',
      ':',
      '/',
      '//',
      '@',
      'user',
      'pw',
      'host ',
      'https',
      secret,
      'x\n',
      '***',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.array(fc.nat(40)), (pieces, cuts) => {
        const text = pieces.join('');
        const stream = masker.stream();
        let shown = '';
        let from = 0;
        for (const cut of [...new Set(cuts)].sort((a, b) => a - b)) {
          shown += stream.push(text.slice(from, cut));
          from = Math.max(from, Math.min(cut, text.length));
        }
        shown += stream.push(text.slice(from)) + stream.end();
        expect(shown).toBe(masker.mask(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('gives ordinary text at once, also behind a colon', () => {
    const stream = createMasker([]).stream();
    expect(stream.push('Password:')).toBe('Password:');
    expect(stream.push(' see http')).toBe(' see http');
    expect(stream.push(':/')).toBe(':/');
    expect(stream.push('/us')).toBe('/');
    expect(stream.push('er:pw@h')).toBe('user:***@h');
  });

  it('knows the values of the .env of the project, and leaves ordinary ones alone', async () => {
    const cwd = repository({
      'w.json': flow(['write', 'a.txt', 'one\n']),
      'say.mjs': 'console.log("it is correct-horse-7 on production");',
      '.gitignore': '.env\n.loopwright\n',
    });
    write(cwd, { '.env': 'export DB_PASS="correct-horse-7"\nNODE_ENV=production\nPORT=12345678\n' });
    write(cwd, { 'say.json': sayFlow() });
    const ran = await start(
      ['run', '-w', 'say.json', '--in-place', '--trust', 'the pass is correct-horse-7'],
      { cwd },
    ).ended;
    expect(ran.code).toBe(0);
    const listed = await loopwright(['sessions', '--json'], { cwd });
    const [session] = (JSON.parse(listed.stdout) as { sessions: { id: string; goal: string }[] }).sessions;
    expect(session?.goal).toBe('the pass is ***');
    const logs = await loopwright(['logs', session?.id ?? ''], { cwd });
    expect(logs.stdout).toContain('it is *** on production');
  });
});

function sayFlow(): object {
  const block = {
    worker: 'Internal:Command',
    with: { argv: ['node', 'say.mjs'] },
    transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }],
  };
  return { nodes: { Main: { entry_block: 'S', blocks: { S: block } } } };
}

describe('a secret in a change', () => {
  it.each([
    ['a known one', { GITHUB_TOKEN: 'hunter2hunter2' }, 'token = "hunter2hunter2"\n', 'a known secret'],
    ['a key by its shape', {}, `token = "${GITHUB}"\n`, 'a GitHub token'],
  ])('%s is not committed, and is named by place alone', async (_, env, text, what) => {
    const lab = new ModeLab();
    labs.push(lab);
    lab.env = env;
    const prepared = await lab.prepare('local-git');
    put(prepared.path, 'src/a.txt', `one\n${text}`);
    const tree = await prepared.taskTree.identity();
    const refused = prepared.deliver({ ...REQUEST, tree });
    await expect(refused).rejects.toThrow(`src/a.txt:2 (${what})`);
    await expect(refused).rejects.not.toThrow(/hunter2|aB3dE5/);
    expect(lab.git('branch', '--list', '--format=%(refname:short) %(objectname)', '*task*')).toContain(
      lab.git('rev-parse', 'main').trim(),
    );
  });

  it('that an agent committed and took out again is not pushed either', async () => {
    const lab = new ModeLab();
    labs.push(lab);
    const prepared = await lab.prepare('local-git');
    put(prepared.path, 'src/a.txt', `${GITHUB}\n`);
    lab.gitIn(prepared.path, 'commit', '-qam', 'oops');
    put(prepared.path, 'src/a.txt', 'clean\n');
    const tree = await prepared.taskTree.identity();
    await expect(prepared.deliver({ ...REQUEST, tree })).rejects.toThrow('secret_in_change');
  });

  it('counts only where it was added', async () => {
    const lab = new ModeLab();
    labs.push(lab);
    lab.put('src/old.txt', `${GITHUB}\nsecond\n`);
    lab.commit('it was there before');
    const prepared = await lab.prepare('local-git');
    put(prepared.path, 'src/old.txt', `${GITHUB}\nchanged\n`);
    const tree = await prepared.taskTree.identity();
    expect(await prepared.deliver({ ...REQUEST, tree })).toMatchObject({ review: true });
  });

  it('blocks its task until a person accepts it with a reason, which the commit tells', async () => {
    const cwd = repository({ 'check.mjs': '', '.gitignore': '.loopwright\nscript.json\n' });
    const turn = { steps: [{ write: { path: 'src/a.js', content: `k = "${GITHUB}"` } }, { say: 'done' }] };
    write(cwd, { 'script.json': { turns: [turn, turn] } });
    const env = {
      REPO_MODE: 'local-git',
      LOCAL_REPO_PATH: cwd,
      LLM_EXECUTOR: 'scripted',
      LOOPWRIGHT_SCRIPT: join(cwd, 'script.json'),
      LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
      WORKER_AUTO_VERIFY_MODE: 'off',
    };
    const place = { cwd, env };
    const title = `use ${GITHUB}`;
    const added = await loopwright(['task', 'add', title, '--json', '--command', 'node check.mjs'], place);
    const { id, title: stored } = JSON.parse(added.stdout) as { id: string; title: string };
    expect(stored).toBe('use ***');
    await loopwright(['work', '--once'], place);
    const blocked = await loopwright(['show', id], place);
    expect(blocked.stdout).toContain('src/a.js:1 (a GitHub token)');
    expect(blocked.stdout).not.toContain(GITHUB);
    const story = JSON.parse((await loopwright(['show', id, '--json'], place)).stdout) as object;
    expect(story).toMatchObject({ state: 'blocked', failureCode: 'secret_in_change' });
    expect((await loopwright(['task', 'edit', id, '--accept-secrets', 'a test key'], place)).code).toBe(0);
    await loopwright(['task', 'requeue', id], place);
    await loopwright(['work', '--once'], place);
    const after = JSON.parse((await loopwright(['show', id, '--json'], place)).stdout) as object;
    expect(after).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
    const branch = git(cwd, 'branch', '--list', '--format=%(refname:short)', '*task*');
    expect(git(cwd, 'log', '-1', '--format=%B', branch)).toContain('accepted by a person: a test key');
  });

  it('is not accepted from a session, nor kept, without a reason that the commit tells', async () => {
    const cwd = repository({ 'w.json': flow(['write', 'b.txt', `${GITHUB}\n`]) });
    await loopwright(['run', '-w', 'w.json', 'do it'], { cwd });
    const listed = await loopwright(['sessions', '--json'], { cwd });
    const id = (JSON.parse(listed.stdout) as { sessions: { id: string }[] }).sessions[0]?.id ?? '';
    for (const verb of ['keep', 'accept']) {
      const refused = await loopwright([verb, id], { cwd });
      expect([verb, refused.code, refused.stderr]).toEqual([
        verb,
        1,
        expect.stringContaining('b.txt:1 (a GitHub token)'),
      ]);
      expect(refused.stderr).not.toContain(GITHUB);
    }
    expect((await loopwright(['accept', id, '--accept-secrets', 'a test key'], { cwd })).code).toBe(0);
    expect(git(cwd, 'log', '-1', '--format=%B')).toContain('accepted by a person: a test key');
  });
});
