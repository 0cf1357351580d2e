import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ManifestBody } from '../../src/manifest/definition.ts';
import { readAnswer } from '../../src/tasks/research/answer.ts';
import { researchInput } from '../../src/tasks/research/input.ts';
import { runTask } from '../../src/tasks/run-task.ts';
import { RuntimeLab } from './lab.ts';

const never = new AbortController().signal;
const source = (url: string) => ({ url, title: 't', quote: 'q', stance: 'supports' });

describe('research', () => {
  let lab: RuntimeLab;
  let flow: ManifestBody;
  beforeEach(() => {
    lab = new RuntimeLab();
    flow = JSON.parse(
      readFileSync(new URL('../../workflows/research-task.json', import.meta.url), 'utf8'),
    ) as ManifestBody;
  });
  afterEach(() => lab.close());

  /** The agent looks these things up, and says this again and again. */
  const saying = (text: string, looks: readonly object[], turns?: readonly object[]): ManifestBody => {
    const script = join(lab.dir, 'script.json');
    writeFileSync(script, JSON.stringify({ turns: turns ?? [[...looks, { say: text }]] }));
    return {
      ...flow,
      workers: { Researcher: { ...flow.workers?.['Researcher'], extraArgs: ['--script', script] } },
    };
  };
  const stage = async (
    name: string,
    answer: object | string,
    more: object = {},
    options: { judge?: boolean; looks?: readonly object[]; turns?: readonly object[] } = {},
  ) => {
    const id = await lab.add({
      kind: 'research',
      title: 'do cats land on their feet?',
      context: {
        research: {
          jobId: 'J',
          query: 'do cats land on their feet? see https://cats.example/x',
          stage: name,
          ...more,
        },
      },
    });
    const said = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const runtime = lab.runtime(saying(said, options.looks ?? [], options.turns));
    const release = await runTask(
      { ...runtime, research: { ...runtime.research, judge: options.judge ?? false } },
      await lab.claim(),
      never,
    );
    const task = await lab.backlog.get(id);
    const [marked] = await lab.backlog.withProof(task ? [task] : []);
    return { id, release, task: marked, prompts: prompts() };
  };
  const prompts = () =>
    lab.events.flatMap((event) =>
      event.type === 'task.session' &&
      event.event.type === 'step.started' &&
      event.event.block === 'Research__Ask'
        ? [event.event.context.contract.instructions ?? '']
        : [],
    );

  it('RES-01 RES-03 RES-04 RES-05 RES-06 RES-07 RES-09 the stages run without git, know what was found before, and end in a report with sources', async () => {
    await stage('plan', {
      findings: [{ claim: 'Cats land on their feet.' }, { claim: 'Cats fear heights.' }],
    });
    await stage('collect', {
      findings: [
        {
          claim: 'cats LAND on their feet',
          verdict: 'supported',
          confidence: 80,
          sources: [
            source('https://a.example/1'),
            source('https://a.example/1'),
            { url: 'javascript:alert(1)' },
          ],
        },
      ],
    });
    const collected = lab.runtime(flow).research.findings;
    const known = await collected.known('J');
    expect(known.claims.map(({ text, status }) => [text, status])).toEqual([
      ['Cats land on their feet.', 'confirmed'],
      ['Cats fear heights.', 'open'],
    ]);
    expect(known.evidence.map(({ url }) => url)).toEqual(['https://a.example/1']);
    // Only planning adds claims.
    await stage('challenge', { findings: [{ claim: 'Dogs land on their feet.', verdict: 'refuted' }] });
    expect((await collected.known('J')).claims).toHaveLength(2);
    const written = await stage('write', {
      findings: [{ claim: 'Cats land on their feet.' }],
      report: 'They do [1].',
      confidence: 75,
    });
    expect(written.task?.state).toBe('done');
    expect(written.prompts.at(-1)).toContain('https://a.example/1');
    const { artifacts, events } = await lab.backlog.history(written.id);
    expect(events.at(-1)?.reason).toBe(
      'unverified, 0 of 2 claims with enough sources of their own; "Cats land on their feet." has 0 of 3 sources (1 not fetched), 0 of 2 domains, no fetched source that supports it, 0 of 1 searches for the opposite; "Cats fear heights." has 0 of 3 sources, 0 of 2 domains, no verdict, 0 of 1 searches for the opposite',
    );
    expect(artifacts.map(({ type }) => type)).toEqual([
      'research_claim',
      'research_source',
      'research_report',
    ]);
    const report = readFileSync(artifacts[2]?.ref ?? '', 'utf8');
    expect(report).toContain('They do [1].');
    expect(report).toContain('1. t: <https://a.example/1> (not fetched)');
    expect(existsSync(join(lab.dir, '.loopwright/research/J/.git'))).toBe(false);
    expect(lab.rows('select * from lease')).toEqual([]);
  });

  const [high, heights] = ['Cats land on their feet.', 'Cats fear heights.'];
  const fetch = (...urls: string[]) => urls.map((url) => ({ fetch: url }));
  const three = ['https://www.a.example/1', 'https://b.example/2', 'https://c.a.example/3'];
  const collect = (claim: string, urls: readonly string[], looks: readonly object[], profile = 'mid') =>
    stage(
      'collect',
      { findings: [{ claim, verdict: 'supported', sources: urls.map(source) }] },
      { claim, profile },
      { looks },
    );
  const challenge = (claim: string, looks: readonly object[]) =>
    stage('challenge', { findings: [], nothing: 'no study says otherwise' }, { claim }, { looks });
  const write = () => stage('write', { findings: [], report: 'So it is.' });

  it('RES-05 each claim is held to its profile by sources of its own, and done says unverified beside what is missing', async () => {
    await stage('plan', { findings: [{ claim: high }, { claim: heights }] });
    const found = await collect(high, three, [
      // With another scheme and a place in the page it is still that page; the third came from a search.
      ...fetch('http://a.example/1#top', three[1] ?? ''),
      { search: { query: 'cats', found: [three[2]] } },
    ]);
    expect([found.task?.unverified, found.release?.reason]).toEqual([
      undefined,
      'verified, 1 of 1 claim with enough sources of their own',
    ]);
    const none = await stage('collect', { findings: [], nothing: 'nobody asked cats' }, { claim: heights });
    expect([none.task?.state, none.task?.unverified]).toEqual(['done', true]);
    // A challenge that did not search has not looked for the opposite, whatever it says.
    expect((await challenge(high, [])).task).toMatchObject({ state: 'done', unverified: true });
    const looked = await challenge(high, [{ search: { query: 'cats land on their backs' } }]);
    expect([looked.task?.state, looked.task?.unverified]).toEqual(['done', undefined]);
    const half = await write();
    expect(half.task).toMatchObject({ state: 'done', unverified: true });
    expect(half.release?.reason).toBe(
      'unverified, 1 of 2 claims with enough sources of their own; "Cats fear heights." has 0 of 3 sources, 0 of 2 domains, no verdict, 0 of 1 searches for the opposite',
    );
    expect(half.prompts.at(-1)).toContain('- (confirmed) Cats land on their feet.');
    expect(half.prompts.at(-1)).toContain('- (open, unverified so far: 0 of 3 sources');
    const report = readFileSync(join(lab.dir, '.loopwright/research/J/report.md'), 'utf8');
    expect(report).toContain('> **Unverified**: 1 of 2 claims have less than the profile `mid` asks for');
    expect(report).toContain('- **confirmed**: Cats land on their feet. [1] [2] [3]');
    expect(report).toContain('- **unverified (0 of 3 sources');

    await collect(heights, three, fetch(...three));
    await challenge(heights, [{ search: { query: 'cats love heights' } }]);
    const whole = await write();
    expect([whole.task?.unverified, whole.release?.reason]).toEqual([
      undefined,
      'verified, 2 of 2 claims with enough sources of their own',
    ]);
    expect(readFileSync(join(lab.dir, '.loopwright/research/J/report.md'), 'utf8')).not.toContain(
      'nverified',
    );
  });

  it('RES-05 a claim that falls short of its profile is asked for once more, with what is missing', async () => {
    await stage('plan', { findings: [{ claim: high }] });
    const says = (urls: readonly string[]) =>
      JSON.stringify({ findings: [{ claim: high, verdict: 'supported', sources: urls.map(source) }] });
    const [first = '', ...others] = three;
    const again = { when: 'it proves too little', steps: [...fetch(...others), { say: says(others) }] };
    const once = { when: 'land on their feet', steps: [...fetch(first), { say: says([first]) }] };
    const { task, release } = await stage('collect', '', { claim: high }, { turns: [again, once] });
    expect([task?.unverified, release?.reason]).toEqual([
      undefined,
      'verified, 1 of 1 claim with enough sources of their own',
    ]);
    const steps = lab.events.flatMap((event) =>
      event.type === 'task.session' && event.event.type === 'step.finished' ? [event.event.entry.block] : [],
    );
    expect(steps.slice(-4)).toEqual([
      'Research__Ask',
      'Research__Keep',
      'Research__AskForMore',
      'Research__Keep',
    ]);
  });

  it.each([
    ['sources that nobody fetched', three, [], 'mid', '0 of 3 sources (3 not fetched), 0 of 2 domains'],
    [
      'one page in three spellings',
      ['https://a.example/1', 'https://a.example/1#b', 'https://www.a.example/1/'],
      fetch('https://a.example/1'),
      'mid',
      '1 of 3 sources, 1 of 2 domains',
    ],
    [
      'pages of one domain',
      [1, 2, 3].map((at) => `https://d${at}.a.example/`),
      'all',
      'mid',
      '1 of 2 domains',
    ],
    ['what is enough for another profile', three, 'all', 'high', '3 of 4 sources, 2 of 3 domains'],
  ] as const)('RES-05 %s are not enough', async (_what, urls, looks, profile, missing) => {
    await stage('plan', { findings: [{ claim: high }] });
    const { task, release } = await collect(high, urls, looks === 'all' ? fetch(...urls) : looks, profile);
    expect(task).toMatchObject({ state: 'done', unverified: true });
    expect(release?.reason).toBe(
      `unverified, 0 of 1 claim with enough sources of their own; "Cats land on their feet." has ${missing}`,
    );
  });

  it('RES-08 addresses in the question are where the agent begins, and the runtime itself opens no connection', async () => {
    const connected = vi.spyOn(Socket.prototype, 'connect');
    const fetched = vi.spyOn(globalThis, 'fetch');
    try {
      const { prompts: asked } = await stage('collect', {
        findings: [{ claim: 'x', sources: [source('https://a.example/1')] }],
      });
      expect(asked[0]).toContain('# Start with\nhttps://cats.example/x\n');
      expect(asked[0]).toContain('Search and read with your own tools.');
      expect([connected.mock.calls, fetched.mock.calls]).toEqual([[], []]);
    } finally {
      connected.mockRestore();
      fetched.mockRestore();
    }
  });

  it('RES-06 a report waits for a judge where one is required, a collection does not', async () => {
    expect(
      (await stage('write', { findings: [{ claim: 'x' }], report: 'r' }, {}, { judge: true })).task,
    ).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
    expect((await stage('collect', { findings: [{ claim: 'x' }] }, {}, { judge: true })).task?.state).toBe(
      'done',
    );
  });

  it('RES-10 a trailing comma is accepted with one call; three answers of prose fail after three', async () => {
    const comma = await stage('plan', '{"findings": [{"claim": "a",},],}');
    expect([comma.task?.state, comma.prompts]).toEqual(['done', [expect.any(String)]]);
    lab.events.length = 0;
    const prose = await stage('plan', 'I think that cats are nice.');
    expect(prose.task?.state).toBe('failed');
    expect(
      lab.events.filter(
        (event) =>
          event.type === 'task.session' &&
          event.event.type === 'step.started' &&
          event.event.block === 'Research__Ask',
      ),
    ).toHaveLength(3);
  });

  it('RES-10 what is cut off is closed, what is fenced is read, what is quoted is not, and nothing is made up', () => {
    expect(readAnswer('```json\n{"findings": [{"claim": "a"}]}\n```')).toMatchObject({
      answer: { findings: [{ claim: 'a' }] },
    });
    expect(readAnswer('The page says {"findings": [{"claim": "a"}]}')).toEqual({
      problem: 'the answer is not JSON with "findings"',
    });
    expect(readAnswer('{"findings": [{"claim": "a", "sources": [{"url": "https://x.example"')).toMatchObject({
      answer: { findings: [{ sources: [{ url: 'https://x.example' }] }] },
    });
    expect(readAnswer('{"findings": [{}, {"claim": " "}]}')).toEqual({
      problem:
        'none of its findings can be used (finding 1: it has no "claim"; finding 2: it has no "claim")',
    });
  });

  it('RES-10 a bad entry among good ones costs only that entry, and the answer says which', async () => {
    const mixed = await stage('plan', {
      findings: [
        { claim: 'Cats are fast.', sources: [{ url: 'cats' }, source('https://a.example/1')] },
        { text: 'no claim' },
      ],
    });
    expect(mixed.task?.state).toBe('done');
    const known = await lab.runtime(flow).research.findings.known('J');
    expect(known.claims.map(({ text }) => text)).toEqual(['Cats are fast.']);
    const dropped = ['finding 1, source 1: its "url" is no web address', 'finding 2: it has no "claim"'];
    expect(await lab.outcome(mixed.id)).toMatchObject({ outcome: { dropped } });
    const other = await stage('challenge', { findings: [{ claim: 'Dogs bark.', verdict: 'refuted' }] });
    expect(await lab.outcome(other.id)).toMatchObject({
      outcome: { dropped: ['not a claim of this job: Dogs bark.'] },
    });
  });

  it('RES-10 an empty answer is asked for once more; what honestly finds nothing says so and ends', async () => {
    const asked = async (name: string, answer: object) => {
      lab.events.length = 0;
      const { task, release, prompts: all } = await stage(name, answer);
      return { asks: all.length, task, reason: release?.reason };
    };
    expect(await asked('collect', { findings: [] })).toMatchObject({
      asks: 2,
      task: { state: 'done' },
      reason: 'nothing was found: asked twice, it named no finding and no reason',
    });
    expect(await asked('collect', { findings: [], nothing: 'every archive is empty' })).toMatchObject({
      asks: 1,
      task: { state: 'done' },
      reason: 'nothing was found: every archive is empty',
    });
    expect(await asked('plan', { findings: [], nothing: 'it is no question' })).toMatchObject({
      asks: 1,
      task: { state: 'blocked', blockReason: 'needs_rework', failureCode: 'nothing_found' },
      reason: 'nothing was found: it is no question',
    });
    expect(await asked('write', { findings: [], report: 'Nobody knows.' })).toMatchObject({
      asks: 1,
      task: { state: 'done' },
    });
  });

  it('RES-02 the input is read from the context; what is missing has its default', () => {
    const task = { id: 'T', title: 'title', goal: 'goal' };
    expect(researchInput(task)).toEqual({ job: 'T', query: 'title\ngoal', stage: 'collect', profile: 'mid' });
    const context = { research: { jobId: 'J', stage: 'Countercheck', profile: 'ULTRA', claim: 'c' } };
    expect(researchInput({ ...task, context })).toEqual({
      job: 'J',
      query: 'c',
      stage: 'challenge',
      profile: 'ultra',
      claim: 'c',
    });
    expect(researchInput({ ...task, context: { research: { stage: 'decompose' } } }).stage).toBe('plan');
  });
});
