import { describe, expect, it } from 'vitest';
import { readRules } from './rules.ts';

describe('the rules of verification', () => {
  it('CFG-11 CFG-12 CFG-15 to CFG-21 have the documented defaults', () => {
    expect(readRules({})).toMatchObject({
      autoVerifyMode: 'hybrid',
      autoVerifyMaxCommands: 4,
      repairExplicit: true,
      skipMissingExplicitScript: true,
      skipInvalidAutoCommand: true,
      autoNonBlockingAfterExplicitPass: true,
      inlineCommandRecovery: true,
      inlineCommandRecoveryCandidates: 3,
      policyRecoveryUseModel: true,
      policyRecoveryMode: 'aggressive',
      policyDiscardAll: false,
      noChangeConfirm: true,
      commandTimeoutMs: 300_000,
    });
  });

  it('name what has the wrong shape', () => {
    expect(() => readRules({ repairExplicit: 'yes' })).toThrow(/repairExplicit/);
    expect(() => readRules({ policyCommandRules: [{ pattern: '(', paths: [] }] })).toThrow(
      /regular expression/,
    );
  });
});
