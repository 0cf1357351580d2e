import { expect, onTestFinished, test } from 'vitest';
import { GitHubServer } from '../modes/github-server.ts';
import { userSettings } from '../user-folder.ts';
import { loopwright, tempFolder } from './support.ts';

const URL = 'https://github.example/acme/widget.git';
const none = { GITHUB_TOKEN: '', GH_TOKEN: '' };

async function hubWithIssues(): Promise<GitHubServer> {
  const hub = await GitHubServer.start(tempFolder());
  onTestFinished(() => hub.close());
  hub.issues.push(
    { number: 4, title: 'Write the parser', body: 'It must be fast.', labels: ['priority:5', 'core'] },
    { number: 7, title: 'Test the parser', body: 'Depends on #4', labels: ['tester'] },
    { number: 8, title: 'A pull request', body: null, labels: [], pull: true },
  );
  return hub;
}

/** The server is on this machine: a host that the person allows. */
const allows = (hub: GitHubServer) => userSettings(tempFolder(), { tokenHosts: [hub.url] });

interface Listed {
  readonly title: string;
  readonly role: string;
  readonly priority: number;
  readonly source?: string;
}

test('the open issues of REPO_URL become tasks, once', async () => {
  const hub = await hubWithIssues();
  const cwd = tempFolder();
  const env = { ...none, REPO_URL: URL, GITHUB_API_URL: hub.url, GITHUB_TOKEN: hub.token, ...allows(hub) };
  const first = await loopwright(['task', 'import', '--github'], { cwd, env });
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toContain('2 tasks added.');
  const { stdout } = await loopwright(['task', 'list', '--json'], { cwd, env });
  const { tasks } = JSON.parse(stdout) as { readonly tasks: Listed[] };
  expect(tasks).toMatchObject([
    { title: 'Write the parser', priority: 5, source: 'github:acme/widget#4' },
    { title: 'Test the parser', role: 'tester', source: 'github:acme/widget#7' },
  ]);

  hub.issues.push({ number: 9, title: 'Document the parser', body: null, labels: ['docser', 'core'] });
  const again = await loopwright(['task', 'import', '--github', '--json'], { cwd, env });
  const { added, known } = JSON.parse(again.stdout) as { added: string[]; known: string[] };
  expect([added.length, known.length]).toEqual([1, 2]);
  expect(`${first.stdout}${again.stdout}`).not.toContain(hub.token);
});

test('labels choose among the issues', async () => {
  const hub = await hubWithIssues();
  const env = { ...none, REPO_URL: URL, GITHUB_API_URL: hub.url, GH_TOKEN: hub.token, ...allows(hub) };
  const { stdout } = await loopwright(['task', 'import', '--github', '--label', 'core'], {
    cwd: tempFolder(),
    env,
  });
  expect(stdout).toContain('1 task added.');
});

test.each([
  { what: 'no repository', args: ['--github'], env: { GITHUB_TOKEN: 'x' }, says: 'REPO_URL is not set' },
  {
    what: 'no token',
    args: ['--github'],
    env: { REPO_URL: URL, PATH: '/nowhere' },
    says: 'There is no token for GitHub.',
  },
  { what: 'a file besides', args: ['list.md', '--github'], env: {}, says: 'Both list.md and --github' },
  { what: 'nothing at all', args: [], env: {}, says: 'There is nothing to import from.' },
  { what: 'labels of a file', args: ['list.md', '--label', 'x'], env: {}, says: 'needs --github' },
])('refused with $what', async ({ args, env, says }) => {
  const ended = await loopwright(['task', 'import', ...args], {
    cwd: tempFolder(),
    env: { ...none, REPO_URL: '', ...env },
  });
  expect([ended.code, ended.stdout]).toEqual([1, '']);
  expect(ended.stderr).toContain(says);
  expect(ended.stderr).toContain('next:');
});

test('a token that GitHub does not know leaves the backlog as it was', async () => {
  const hub = await hubWithIssues();
  const cwd = tempFolder();
  const env = {
    ...none,
    REPO_URL: URL,
    GITHUB_API_URL: hub.url,
    GITHUB_TOKEN: 'wrong-token',
    ...allows(hub),
  };
  const ended = await loopwright(['task', 'import', '--github', '--dir', cwd], { cwd, env });
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain('while listing the issues');
  expect(ended.stderr).toContain('GITHUB_TOKEN');
  expect(ended.stderr).not.toContain('wrong-token');
});
