import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitHubError } from '../../src/tasks/github/errors.ts';
import { listIssues } from '../../src/tasks/github/issues.ts';
import { mergeDelivered, mergePullRequest } from '../../src/tasks/github/pull-request.ts';
import { openGitHub } from '../../src/tasks/github/repository.ts';
import { findToken, tokenForGit } from '../../src/tasks/github/token.ts';
import { closeTask } from '../../src/tasks/prepare/close-task.ts';
import { prepareFor } from '../../src/tasks/prepare/prepare-for.ts';
import { readRepositoryUrl } from '../../src/workspace/remote/repository-url.ts';
import { userSettings } from '../user-folder.ts';
import { type Failure, GitHubServer } from './github-server.ts';
import { ModeLab, REQUEST, TASK, write } from './lab.ts';

const BRANCH = `loopwright/task/${TASK}`;
const VICTIM = fileURLToPath(new URL('../../.cache/victims/modes-github-victim.mjs', import.meta.url));

let lab: ModeLab;
let hub: GitHubServer;
let bare: string;

beforeEach(async () => {
  lab = new ModeLab();
  bare = join(lab.base, 'acme', 'widget.git');
  mkdirSync(join(lab.base, 'acme'));
  lab.git('clone', '-q', '--bare', lab.dir, bare);
  hub = await GitHubServer.start(bare);
  lab.settings = { url: bare, api: hub.url };
  lab.env = { GITHUB_TOKEN: 'secret-token' };
  // The server of the tests is on this machine: a host that the person allows.
  userSettings(join(lab.base, '.config'), { tokenHosts: [hub.url] });
});
afterEach(async () => {
  await hub.close();
  lab.dispose();
});

const inBare = (...args: string[]) => lab.gitIn(bare, ...args).trim();
const commitsOn = (ref: string) => Number(inBare('rev-list', '--count', `main..${ref}`));
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof GitHubError ? error : Promise.reject(error)),
  );

async function edited(text = 'b\n') {
  const tree = await lab.prepare('github');
  write(tree.path, 'b.txt', text);
  return tree;
}

describe('github mode', () => {
  it('RUN-06 RUN-09 ST-01 clones, branches, commits, pushes and opens one pull request, which a second run updates', async () => {
    const tree = await edited();
    expect(existsSync(join(lab.dir, '.loopwright/repositories/local-acme-widget/HEAD'))).toBe(true);
    expect(lab.gitIn(tree.path, 'branch', '--show-current').trim()).toBe(BRANCH);
    const delivery = await tree.deliver(REQUEST);
    expect(delivery.review).toBe(true);
    expect(delivery.artifacts.map(({ type }) => type)).toEqual([
      'branch',
      'worktree',
      'commit',
      'diff',
      'pr',
    ]);
    expect(commitsOn(BRANCH)).toBe(1);
    expect(hub.pulls).toMatchObject([{ title: 'Do the thing', head: BRANCH, base: 'main' }]);
    expect(hub.pulls[0]?.body).toMatch(
      /The thing is done\.\n\n### Evidence\n\nnode check.*\n\n### Cost\n\n1200/,
    );
    const next = await lab.prepare('github', lab.claim({ runId: 'run-2', sessionId: 's2' }));
    write(next.path, 'c.txt', 'c\n');
    await next.deliver({ ...REQUEST, evidence: 'more proof' });
    expect(commitsOn(BRANCH)).toBe(2);
    expect(hub.pulls).toHaveLength(1);
    expect(hub.pulls[0]?.body).toContain('more proof');
    expect(lab.git('status', '--porcelain')).toBe('');
  });

  it('RUN-04 commits, pushes and asks in this order; WORKSPACE_PATH says where the clone is', async () => {
    lab.settings = { ...lab.settings, workspace: '../clones' };
    const steps: string[] = [];
    const options = { ...lab.options(), onStep: (step: string) => void steps.push(step) };
    const tree = await prepareFor('github', options)(lab.claim(), new AbortController().signal);
    write(tree.path, 'b.txt', 'b\n');
    expect([steps, hub.seen]).toEqual([[], []]);
    await tree.deliver(REQUEST);
    expect(steps).toEqual(['committing', 'pushing', 'opening', 'opened']);
    expect(existsSync(join(lab.base, 'clones/local-acme-widget/HEAD'))).toBe(true);
    await closeTask('github', options, TASK);
    expect(existsSync(tree.path)).toBe(false);
  });

  it('a new attempt begins from the base as it is now, and its pull request is the same one', async () => {
    await (await edited()).deliver(REQUEST);
    const old = inBare('rev-parse', 'main');
    lab.put('main.txt', 'new on main\n');
    lab.commit('main goes on');
    lab.git('push', '-q', bare, 'HEAD:main');
    const going = await lab.prepare('github', lab.claim({ runId: 'run-2', continues: true }));
    expect(existsSync(join(going.path, 'main.txt'))).toBe(false);
    const next = await lab.prepare('github', lab.claim({ runId: 'run-3', sessionId: 's3' }));
    expect(next.notes).toContainEqual(expect.stringContaining('main has moved: the work of the task was'));
    expect(await next.taskTree.changes()).toEqual({ changed: [], added: ['b.txt'], removed: [] });
    write(next.path, 'c.txt', 'c\n');
    await next.deliver(REQUEST);
    expect(inBare('merge-base', 'main', BRANCH)).toBe(inBare('rev-parse', 'main'));
    expect(inBare('rev-parse', 'main')).not.toBe(old);
    expect([commitsOn(BRANCH), hub.pulls.length]).toEqual([2, 1]);
  });

  it('repeating a delivery asks for nothing twice', async () => {
    const tree = await edited();
    const first = await tree.deliver(REQUEST);
    const again = await (await lab.prepare('github')).deliver(REQUEST);
    expect(again).toEqual(first);
    expect([hub.count('POST'), hub.count('PATCH')]).toEqual([1, 0]);
  });

  it.each(['committing', 'pushing', 'opening', 'opened'])(
    'a kill at the point "%s" is finished by the next run, with one commit and one pull request',
    async (point) => {
      const tree = await edited();
      const request = { dir: lab.dir, url: bare, api: hub.url, point, claim: lab.claim(), request: REQUEST };
      const child = spawn(process.execPath, [VICTIM, JSON.stringify(request)], {
        env: { ...process.env, GITHUB_TOKEN: 'secret-token', XDG_CONFIG_HOME: join(lab.base, '.config') },
        stdio: 'inherit',
      });
      const signal = await new Promise((resolve) => child.on('close', (_, how) => resolve(how)));
      expect(signal).toBe('SIGKILL');
      expect(hub.pulls).toHaveLength(point === 'opened' ? 1 : 0);
      const delivery = await (await lab.prepare('github')).deliver(REQUEST);
      expect(delivery.artifacts.at(-1)).toMatchObject({ type: 'pr' });
      expect(commitsOn(BRANCH)).toBe(1);
      expect(hub.pulls).toHaveLength(1);
      expect(hub.count('POST')).toBe(1);
      expect(lab.gitIn(tree.path, 'fsck', '--strict', '--no-dangling')).toBe('');
    },
  );

  it('ST-03 nothing to commit, or no commits between, is done without a review', async () => {
    const untouched = await (await lab.prepare('github')).deliver(REQUEST);
    expect(untouched).toMatchObject({ review: false });
    expect([hub.count('POST'), inBare('branch', '--list', BRANCH)]).toEqual([0, '']);
    hub.fail({
      method: 'POST',
      status: 422,
      message: `Validation Failed: No commits between main and ${BRANCH}`,
    });
    const tree = await edited();
    expect(await tree.deliver(REQUEST)).toMatchObject({ review: false });
  });

  it('a merged pull request and the issues', async () => {
    const tree = await edited();
    await tree.deliver(REQUEST);
    const github = await openGitHub(lab.options());
    const stale = await problemOf(mergePullRequest(github, 1, { commit: inBare('rev-parse', 'main') }));
    expect(stale).toMatchObject({ problem: 'conflict' });
    expect(await mergePullRequest(github, 1, { commit: inBare('rev-parse', BRANCH) })).toBe('merged');
    const pr = { type: 'pr', ref: 'https://github.example/acme/widget/pull/1', data: { number: 1 } };
    expect(await mergeDelivered(lab.options(), pr)).toBe('already-merged');
    expect(inBare('show', 'main:b.txt')).toBe('b');
    for (let number = 1; number <= 130; number++) {
      const labels = number % 2 === 0 ? ['bug'] : [];
      hub.issues.push({
        number,
        title: `Issue ${number}`,
        body: null,
        labels,
        ...(number === 4 ? { pull: true } : {}),
      });
    }
    expect(await listIssues(github)).toHaveLength(129);
    const [first, second] = await listIssues(github, { labels: ['bug'] });
    expect([first?.number, second?.number]).toEqual([2, 6]);
  });
});

describe('github mode, faults', () => {
  it.each<[Failure, string, RegExp]>([
    [{ status: 401, message: 'Bad credentials' }, 'unauthorized', /GitHub refused while looking/],
    [{ status: 403, message: 'Resource not accessible' }, 'forbidden', /Resource not accessible/],
    [{ status: 404, message: 'Not Found' }, 'not-found', /status 404/],
    [{ status: 422, message: 'base is invalid', method: 'POST' }, 'invalid', /base is invalid/],
    [{ status: 503, times: 9 }, 'unavailable', /GitHub cannot be reached while looking/],
  ])('%j: the pushed work is kept and the next try finishes it', async (failure, problem, message) => {
    const tree = await edited();
    hub.fail(failure);
    const error = await problemOf(tree.deliver(REQUEST));
    expect(error).toMatchObject({ problem, next: { label: expect.any(String) as string } });
    expect(error?.message).toMatch(message);
    expect(commitsOn(BRANCH)).toBe(1);
    if (failure.times !== undefined) return;
    expect(await tree.deliver(REQUEST)).toMatchObject({ review: true });
    expect(hub.pulls).toHaveLength(1);
  });

  it('a rate limit names the time it ends', async () => {
    const tree = await edited();
    const reset = Math.floor(Date.now() / 1000) + 3600;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    hub.fail({ status: 403, message: 'API rate limit exceeded', headers });
    const error = await problemOf(tree.deliver(REQUEST));
    expect(error).toMatchObject({ problem: 'rate-limited', resetAt: reset * 1000 });
    expect(error?.message).toContain(new Date(reset * 1000).toISOString());
    hub.fail({ status: 429, headers: { 'retry-after': '60' } });
    expect(await problemOf(tree.deliver(REQUEST))).toMatchObject({ problem: 'rate-limited' });
  });

  it('a short outage is waited out, and what was made in it is not made again', async () => {
    const tree = await edited();
    hub.fail({ method: 'GET', status: 502 });
    hub.fail({ method: 'POST', status: 502, afterwards: true });
    expect(await tree.deliver(REQUEST)).toMatchObject({ review: true });
    expect([hub.pulls.length, hub.count('POST')]).toEqual([1, 1]);
  });

  it('an API that cannot be reached is reported', async () => {
    const tree = await edited();
    await hub.close();
    expect(await problemOf(tree.deliver(REQUEST))).toMatchObject({ problem: 'unavailable' });
    hub = await GitHubServer.start(bare);
  });

  it('a push that the remote refuses is reported, and succeeds once it is let in', async () => {
    const tree = await edited();
    const hook = join(bare, 'hooks', 'pre-receive');
    mkdirSync(join(bare, 'hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho not on a Friday >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    await expect(tree.deliver(REQUEST)).rejects.toThrow(/remote refused the push .*not on a Friday/s);
    expect(hub.count('POST')).toBe(0);
    writeFileSync(hook, '#!/bin/sh\nexit 0\n');
    expect(await tree.deliver(REQUEST)).toMatchObject({ review: true });
    expect(commitsOn(BRANCH)).toBe(1);
  });

  it('commits of somebody else on the branch are never overwritten; our own rewritten ones are', async () => {
    const tree = await edited();
    await tree.deliver(REQUEST);
    lab.gitIn(tree.path, 'commit', '-q', '--amend', '-m', 'said better');
    await tree.deliver(REQUEST);
    expect(inBare('log', '-1', '--format=%s', BRANCH)).toBe('said better');
    const theirs = inBare('commit-tree', '-p', BRANCH, '-m', 'theirs', `${BRANCH}^{tree}`);
    inBare('update-ref', `refs/heads/${BRANCH}`, theirs);
    write(tree.path, 'c.txt', 'c\n');
    await expect(tree.deliver(REQUEST)).rejects.toThrow(
      /has commits on the remote that this task does not know/,
    );
    expect(inBare('rev-parse', BRANCH)).toBe(theirs);
  });

  it('what is missing is reported before the work begins', async () => {
    lab.settings = { url: '', api: hub.url };
    await expect(lab.prepare('github')).rejects.toThrow('REPO_URL is not set');
    lab.settings = { url: join(lab.base, 'acme/gone.git'), api: hub.url };
    await expect(lab.prepare('github')).rejects.toThrow(/no such remote repository/);
    lab.settings = { url: bare, api: hub.url, base: 'develop' };
    await expect(lab.prepare('github')).rejects.toThrow(/has no branch "develop" to begin from/);
    lab.settings = { url: bare, api: hub.url };
    lab.env = { PATH: '/nowhere' };
    await expect(lab.prepare('github')).rejects.toThrow('There is no token for GitHub.');
  });

  it('a remote whose default branch has another name is begun from there, with a note', async () => {
    inBare('branch', '-m', 'main', 'trunk');
    const tree = await lab.prepare('github');
    expect(tree.notes).toEqual(['the remote has no branch main; the task begins from trunk']);
  });
});

describe('addresses and tokens', () => {
  it.each([
    ['https://github.com/o/r.git', 'github.com/o/r'],
    ['https://me:secret@github.com/o/r/', 'github.com/o/r'],
    ['git@github.com:o/r.git', 'github.com/o/r'],
    ['ssh://git@host.example:2222/o/r', 'host.example/o/r'],
    ['file:///srv/o/r.git', 'local/o/r'],
    ['/srv/o/r.git', 'local/o/r'],
  ])('reads %s', (url, expected) => {
    const { host, owner, name } = readRepositoryUrl(url);
    expect(`${host}/${owner}/${name}`).toBe(expected);
  });

  it('says what is wrong with an address, without the password in it', () => {
    expect(() => readRepositoryUrl('https://me:secret@host')).toThrow(/names no owner/);
    expect(() => readRepositoryUrl('https://me:secret@host')).not.toThrow(/secret/);
  });

  it('finds a token in the environment, else with gh, and gives it to git only over https', async () => {
    const hosts = ['github.com'];
    expect(await findToken({ GITHUB_TOKEN: ' a ', GH_TOKEN: 'b' }, 'github.com')).toBe('a');
    expect(await findToken({ GH_TOKEN: 'b' }, 'github.com')).toBe('b');
    writeFileSync(join(lab.base, 'gh'), '#!/bin/sh\necho "from-$4"\n', { mode: 0o755 });
    expect(await findToken({ PATH: `${lab.base}:/bin:/usr/bin` }, 'ghe.example')).toBe('from-ghe.example');
    expect(tokenForGit('http://github.com/o/r', 't', { env: {}, hosts })).toEqual({});
    expect(tokenForGit('https://github.com.evil.example/o/r', 't', { env: {}, hosts })).toEqual({});
    expect(tokenForGit('git@github.com:o/r', 't', { env: {}, hosts })).toEqual({});
    expect(
      tokenForGit('https://github.com/o/r', 't', { env: { GIT_CONFIG_COUNT: '2' }, hosts }),
    ).toMatchObject({
      GIT_CONFIG_COUNT: '3',
      GIT_CONFIG_KEY_2: 'http.https://github.com/.extraheader',
    });
  });
});
