import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { compileManifest } from '../compile.ts';
import { formatProblem } from '../problem.ts';

function compile(limits: object, config?: JsonObject, workers: object = {}) {
  const block = { worker: 'w', transitions: [], limits };
  const document = { workers, nodes: { A: { entry_block: 'Go', blocks: { Go: block } } } };
  return compileManifest(document, config ? { config } : {});
}

const errors = (...given: Parameters<typeof compile>) => compile(...given).problems.map(formatProblem);

describe('numbers that a manifest leaves to the configuration', () => {
  const config = { verify: { repairs: 2, none: 0, half: 1.5, word: 'five' }, policy: { minutes: 0.25 } };

  it('are numbers once it is loaded, in limits and in the roster', () => {
    const limits = {
      visits: '{{config.verify.repairs}}',
      minutes: '{{ config.policy.minutes }}',
      sameFailure: 3,
    };
    const { manifest } = compile(limits, config, {
      Judge: { agent: 'x', minutes: '{{config.policy.minutes}}' },
    });
    expect(manifest?.blocks['A__Go']?.limits).toEqual({ visits: 2, minutes: 0.25, sameFailure: 3 });
    expect(manifest?.workers['Judge']).toEqual({ agent: 'x', minutes: 0.25 });
    expect(compile({ visits: '{{config.verify.none}}' }, config).manifest?.blocks['A__Go']?.limits).toEqual({
      visits: 0,
    });
  });

  it.each([
    [
      { visits: '{{config.verify.repiars}}' },
      'limits.visits: {{config.verify.repiars}} names a configuration key that does not exist. Did you mean "verify.repairs"?',
    ],
    [
      { visits: '{{config.verify.half}}' },
      'limits.visits: "visits" must be a whole number, but {{config.verify.half}} is 1.5.',
    ],
    [
      { minutes: '{{config.verify.word}}' },
      'limits.minutes: "minutes" must be a number, but {{config.verify.word}} is the text "five".',
    ],
    [
      { sameFailure: '{{config.verify.none}}' },
      'limits.sameFailure: "sameFailure" must be 1 or more, but {{config.verify.none}} is 0.',
    ],
    [{ visits: '{{config.verify}}' }, '{{config.verify}} is an object.'],
    [
      { visits: '{{inputs.tries}}' },
      'limits.visits: "visits" must be a number or {{config.<key>}}, but is the text "{{inputs.tries}}".',
    ],
    [{ visits: '5' }, '"visits" must be a number or {{config.<key>}}, but is the text "5".'],
    [{ visits: -1 }, '"visits" must be 0 or more, but is -1.'],
  ])('%j is refused with its place', (limits, words) => {
    const [only, ...more] = errors(limits, config);
    expect(more).toEqual([]);
    expect(only).toContain('node A, block Go, ');
    expect(only).toContain(words);
  });

  it('a worker whose time is not there is refused with its place', () => {
    expect(errors({}, config, { Judge: { agent: 'x', minutes: '{{config.policy.minuets}}' } })).toEqual([
      expect.stringMatching(/^workers\.Judge\.minutes: .*Did you mean "policy\.minutes"\?/),
    ]);
  });

  it('without a configuration there is no number, and a block without its limit is not run', () => {
    expect(errors({ visits: '{{config.verify.repairs}}' })).toEqual([
      expect.stringContaining('{{config.verify.repairs}} needs a configuration, and none was given.'),
    ]);
  });
});
