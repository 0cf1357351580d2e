import { describe, expect, it } from 'vitest';
import type { Bench } from './bench.ts';

const source = { url: 'https://a.example/1', title: 'A', quote: 'so it is', stance: 'supports' } as const;

/** What research has found, and what is not added twice. */
export function describeFindings(bench: () => Bench): void {
  const findings = () => bench().store.findings;

  const planned = () =>
    findings().keep(
      { job: 'j', stage: 'plan' },
      {
        findings: [
          { claim: 'Water is wet.', sources: [] },
          { claim: 'Fire is cold', sources: [source] },
        ],
      },
    );

  describe('findings', () => {
    it('only planning adds claims; repeating it changes nothing', async () => {
      await expect(planned()).resolves.toEqual({ claims: 2, sources: 1, unknown: [] });
      await expect(planned()).resolves.toEqual({ claims: 2, sources: 0, unknown: [] });
      const { claims, evidence } = await findings().known('j');
      expect(claims).toMatchObject([
        { text: 'Water is wet.', status: 'open', confidence: null },
        { text: 'Fire is cold', status: 'open' },
      ]);
      expect(evidence).toEqual([{ claim: 'Fire is cold', ...source, fetched: false }]);
      await expect(findings().known('another')).resolves.toEqual({ claims: [], evidence: [], searches: [] });
      const stranger = { findings: [{ claim: 'Earth is flat', sources: [] }] };
      await expect(findings().keep({ job: 'j', stage: 'collect' }, stranger)).resolves.toMatchObject({
        claims: 0,
        unknown: ['Earth is flat'],
      });
    });

    it('a claim is known by its words, whatever their case and marks, or by the task that was about it', async () => {
      await planned();
      const about = { job: 'j', stage: 'challenge', claim: 'Fire is cold' };
      const verdicts = [
        { claim: 'WATER is wet', verdict: 'supported', confidence: 90, sources: [] },
        { claim: 'In other words: fire is hot', verdict: 'refuted', sources: [] },
      ] as const;
      await expect(findings().keep(about, { findings: verdicts })).resolves.toMatchObject({ unknown: [] });
      expect((await findings().known('j')).claims).toMatchObject([
        { status: 'confirmed', confidence: 90 },
        { status: 'refuted', confidence: null },
      ]);
    });

    it('a page that was fetched stays so, and the searches of a challenge belong to its claim', async () => {
      await planned();
      const own = { job: 'j', claim: 'Fire is cold' };
      const found = (fetched: boolean) => ({
        findings: [{ claim: 'Fire is cold', sources: [{ ...source, fetched }] }],
        searched: ['fire is hot'],
      });
      await findings().keep({ ...own, stage: 'collect' }, found(true));
      expect((await findings().known('j')).searches).toEqual([]);
      await findings().keep({ ...own, stage: 'challenge' }, found(false));
      await findings().keep({ ...own, stage: 'challenge' }, found(false));
      const known = await findings().known('j');
      expect(known.evidence).toEqual([{ claim: 'Fire is cold', ...source, fetched: true }]);
      expect(known.searches).toEqual([{ claim: 'Fire is cold', query: 'fire is hot' }]);
      await findings().keep({ job: 'j', stage: 'challenge' }, { findings: [], searched: ['neither'] });
      expect((await findings().known('j')).searches).toHaveLength(3);
    });

    it('the report is kept by the stage that writes it, the last one counts', async () => {
      await findings().keep({ job: 'j', stage: 'collect' }, { findings: [], report: 'too early' });
      await expect(findings().report('j')).resolves.toBeUndefined();
      for (const report of ['first', 'second'])
        await findings().keep({ job: 'j', stage: 'write' }, { findings: [], report, confidence: 70 });
      await expect(findings().report('j')).resolves.toEqual({ body: 'second', confidence: 70 });
    });
  });
}
