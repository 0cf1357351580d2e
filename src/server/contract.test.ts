import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApi } from '../api/routes/openapi.ts';
import { httpProblem } from '../api/routes/problem.ts';
import type { Route } from '../api/routes/route.ts';
import { type RouteName, routes } from '../api/routes/routes.ts';
import { packageRoot } from '../project/package-root.ts';
import { argvOf, gitProject, worked } from './fixture/testing.ts';
import { handlers } from './handlers/handlers.ts';
import { type Served, served, tempProject } from './testing.ts';

/** What a call is about: made before it, so that no call depends on another. */
interface World extends Served {
  readonly session: string;
  readonly task: string;
}

interface Example {
  /** In place of the parameters of the path. */
  readonly path?: (world: World) => string;
  readonly body?: (world: World) => unknown;
  /** It needs more than this world has, so it is refused here with this code; where it succeeds is another test. */
  readonly refused?: string;
  readonly session?: 'halted' | 'completed';
}

const of = (suffix: string) => (world: World) => `/sessions/${world.session}${suffix}`;
const ofTask = (suffix: string) => (world: World) => `/tasks/${world.task}${suffix}`;
const none = () => ({});
const draft = { summary: 'look', comments: [], viewed: {} };
const COMMENT = {
  id: 'c1',
  path: 'a.txt',
  side: 'after',
  from: 2,
  to: 2,
  quote: '2',
  step: 1,
  text: 'why?',
  state: 'draft',
};

/** One call of every route; the compiler misses the one that is forgotten. */
const EXAMPLES: { readonly [name in RouteName]: Example } = {
  health: {},
  logIn: { body: ({ serving }) => ({ token: serving.newUrl().split('#')[1] }) },
  logOut: {},
  me: {},
  overview: {},
  openapi: {},
  needsYou: {},
  snooze: { path: () => '/needs-you/halted-X-1/snooze', body: none },
  sessions: { path: () => '/sessions?limit=5&q=change&status=halted' },
  session: { path: of('') },
  live: { path: of('/live') },
  manifest: { path: of('/manifest') },
  graph: { path: of('/graph') },
  steps: { path: of('/steps?limit=1&before=2') },
  step: { path: of('/steps/1') },
  stepContext: { path: of('/steps/1/context') },
  nextContext: { path: of('/next/context') },
  startSession: { path: () => '/sessions', body: () => ({ goal: 'do it' }) },
  resume: { path: of('/resume'), body: () => ({ guidance: '' }) },
  retry: { path: of('/retry'), body: () => ({ guidance: 'look closer' }) },
  runStep: { path: of('/step'), body: none },
  interrupt: { path: of('/interrupt'), body: none, refused: 'conflict' },
  abort: { path: of('/abort'), body: ({ session }) => ({ confirm: session }) },
  fork: { path: of('/fork'), body: () => ({ at: 1, run: true }) },
  rewind: { path: of('/rewind'), body: () => ({ to: 1 }) },
  delivery: { path: of('/delivery') },
  accept: {
    path: of('/accept'),
    body: ({ session }) => ({ unproven: true, confirm: session }),
    session: 'completed',
  },
  keep: { path: of('/keep'), body: none, session: 'completed' },
  discard: { path: of('/discard'), body: ({ session }) => ({ confirm: session }) },
  undo: { path: of('/undo'), body: none, refused: 'conflict' },
  hold: { path: of('/hold'), body: none },
  unhold: { path: of('/unhold'), body: none, refused: 'not-found' },
  stageTasks: { path: of('/stage-tasks') },
  answer: { path: of('/stage-tasks/t/answer'), body: () => ({ text: 'yes' }), refused: 'conflict' },
  complete: { path: of('/stage-tasks/t/complete'), body: none, refused: 'conflict' },
  stop: { path: of('/stage-tasks/t/stop'), body: none, refused: 'conflict' },
  type: { path: of('/stage-tasks/t/input'), body: () => ({ text: 'x' }), refused: 'conflict' },
  runtimes: {},
  startRuntime: { body: none, refused: 'internal' },
  stopRuntime: { path: () => '/runtimes/01X/stop', body: none, refused: 'not-found' },
  timeline: { path: of('/timeline') },
  diff: { path: of('/diff?patch=true') },
  diffFile: { path: of('/diff/file?path=a.txt') },
  logs: { path: of('/logs') },
  log: { path: of('/logs/0001-x.log?line=0&limit=2&as=plain') },
  searchLog: { path: of('/logs/0001-x.log/search?q=TWO') },
  tasks: { path: () => '/tasks?state=queued&q=task&limit=1' },
  task: { path: ofTask('') },
  addTask: { path: () => '/tasks', body: () => ({ title: 'another', allowedPaths: ['src/**'] }) },
  importTasks: { body: () => ({ text: '- [ ] one\n- [ ] two\n', format: 'markdown' }) },
  editTask: { path: ofTask(''), body: () => ({ priority: 5 }) },
  removeTask: { path: ofTask(''), body: ({ task }) => ({ confirm: task }) },
  approve: { path: ofTask('/approve'), body: none, refused: 'conflict' },
  rework: { path: ofTask('/rework'), body: () => ({ notes: 'again' }), refused: 'conflict' },
  requeue: { path: ofTask('/requeue'), body: none, refused: 'conflict' },
  cancel: { path: ofTask('/cancel'), body: none },
  restorable: { path: ofTask('/restore'), refused: 'invalid' },
  restore: { path: ofTask('/restore'), body: none, refused: 'invalid' },
  said: { path: of('/said') },
  epochs: { path: of('/epochs') },
  segment: { path: of('/segments/1.1') },
  evidence: { path: of('/evidence') },
  compare: { path: ({ session }) => `/compare?a=${session}&b=${session}` },
  review: { path: of('/review') },
  saveReview: { path: of('/review'), body: () => ({ ...draft, comments: [COMMENT] }) },
  sendReview: { path: of('/review/send'), body: () => ({ as: 'retry' }), refused: 'conflict' },
  plan: { path: of('/plan') },
  extendPlan: { path: of('/plan'), body: () => ({ add: ['src/**'] }) },
  plans: {},
  conflicts: {},
  previewPlan: { body: () => ({ paths: ['src/**'] }) },
  workflows: {},
  workflow: { path: () => '/workflows/test-fix' },
  validateWorkflow: { body: () => ({ document: { A: {} } }) },
  simulate: { body: () => ({ name: 'test-fix', scenario: 'fixed-once' }) },
  worktrees: {},
  gc: { body: () => ({ dryRun: true }) },
  disk: {},
  clean: { body: () => ({ dryRun: true }) },
  agents: {},
  doctor: {},
  unblockAgent: { path: () => '/agents/claude/unblock', body: none, refused: 'not-found' },
  costs: { path: () => '/costs?by=agent&days=7' },
  budget: {},
  raiseBudget: { body: () => ({ raise: { usd: 1 } }), refused: 'invalid' },
  settings: {},
  setSetting: { body: () => ({ key: 'agents.all', value: 'claude' }) },
  calls: { path: of('/calls') },
  call: { path: of('/calls/9.9'), refused: 'not-found' },
  recentCalls: { path: () => '/calls?agent=scripted' },
  rerunCall: { path: of('/calls/9.9/rerun'), body: () => ({ prompt: 'again' }), refused: 'not-found' },
  experiments: { path: of('/experiments') },
  experiment: { path: () => '/experiments/01X', refused: 'not-found' },
  stopExperiment: { path: () => '/experiments/01X/stop', body: none, refused: 'not-found' },
  removeExperiment: { path: () => '/experiments/01X', body: none, refused: 'not-found' },
  researchJobs: {},
  startResearch: { body: () => ({ question: 'why?' }) },
  researchJob: { path: () => '/research/01X', refused: 'not-found' },
  continueResearch: { path: () => '/research/01X/continue', body: none, refused: 'not-found' },
};

const NAMES = Object.keys(routes) as RouteName[];
const routeOf = (name: RouteName): Route => routes[name];

async function world(name: RouteName, options: { readonly readOnly?: boolean } = {}): Promise<World> {
  const dir = tempProject();
  const project = await gitProject(dir);
  const example = EXAMPLES[name];
  const needsSession = (example.path ?? (() => ''))({ session: '@', task: '' } as World).includes('@');
  const session = needsSession ? await worked(project, example.session ?? 'halted') : '';
  const { id: task } = await project.addTask('the task');
  if (session !== '') {
    const logs = join(dir, '.loopwright/sessions', session, 'logs');
    mkdirSync(logs, { recursive: true });
    writeFileSync(join(logs, '0001-x.log'), 'one\ntwo\nthree\n');
  }
  return { ...(await served({ argvOf, ...options }, dir)), session, task };
}

function call(name: RouteName, at: World, headers?: { readonly [name: string]: string }) {
  const { method, path } = routeOf(name);
  const { path: example, body } = EXAMPLES[name];
  const asking = { method, ...(body ? { body: body(at) } : {}) };
  const where = example ? example(at) : path;
  const own = name === 'logIn' ? { origin: at.serving.address } : {};
  return headers ? at.raw(where, { ...asking, headers }) : at.call(where, { ...asking, headers: own });
}

describe('every route', () => {
  it('has a handler, an example and an entry in the document', () => {
    expect(Object.keys(handlers).sort()).toEqual([...NAMES].sort());
    expect(Object.keys(EXAMPLES).sort()).toEqual([...NAMES].sort());
    const { paths } = openApi() as {
      paths: { [path: string]: { [method: string]: { operationId: string } } };
    };
    const documented = Object.values(paths).flatMap((each) =>
      Object.values(each).map((one) => one.operationId),
    );
    expect(documented.sort()).toEqual([...NAMES].sort());
  });

  it('is in the document that is shipped', () => {
    const file = join(packageRoot(), 'schema', 'openapi.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(openApi());
  });

  it('is named by one method and path', () => {
    const keys = NAMES.map(
      (name) => `${routeOf(name).method} ${routeOf(name).path.replaceAll(/:\w+/g, ':')}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(NAMES)('%s answers as the contract says', async (name) => {
    const at = await world(name);
    const { refused } = EXAMPLES[name];
    const { status, body } = await call(name, at);
    if (refused !== undefined) {
      expect(httpProblem.parse(body)).toMatchObject({ code: refused });
      return;
    }
    expect([status, body]).toEqual([routeOf(name).status ?? 200, expect.anything()]);
    const read = routeOf(name).reply.safeParse(body);
    expect(read.error?.issues ?? []).toEqual([]);
  });
});

describe('nobody', () => {
  it.each(NAMES.filter((name) => !routeOf(name).open))('is let in at %s', async (name) => {
    const at = await served();
    const headers = { origin: at.serving.address };
    const { status, body } = await call(name, { ...at, session: '01X', task: '01X' }, headers);
    expect([status, httpProblem.parse(body).code]).toEqual([401, 'unauthorised']);
  });
});

describe('a server that only shows', () => {
  const unsafe = NAMES.filter(
    (name) => routeOf(name).method !== 'GET' && name !== 'logIn' && name !== 'logOut',
  );

  it.each(unsafe)('refuses %s', async (name) => {
    const at = await served({ readOnly: true, argvOf });
    const { status, body } = await call(name, { ...at, session: '01X', task: '01X' });
    expect([status, httpProblem.parse(body).code]).toEqual([403, 'read-only']);
  });
});

describe('what does not exist', () => {
  const named = NAMES.filter((name) => routeOf(name).refused?.includes('not-found'));

  it.each(named)('%s says so', async (name) => {
    const at = await served({ argvOf });
    await at.project.trust();
    const { status, body } = await call(name, { ...at, session: '01UNKNOWN', task: '01UNKNOWN' });
    // Named by the body, or looked for in a repository that this project has not.
    const says = ['simulate', 'setSetting', 'unhold', 'workflow'].includes(name);
    if (!says && routeOf(name).path.includes(':'))
      expect([name, status, body.code]).toEqual([name, 404, 'not-found']);
  });
});
