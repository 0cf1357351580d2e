import { describe, expect, it } from 'vitest';
import { loadRuntime } from './load.ts';
import { runtimeSettings } from './settings.ts';

const at = { now: 1_700_000_000_000 };

describe('settings of the runtime', () => {
  it.each([
    ['CFG-01', 'AGENT_ID', '', 'ann', 'ann'],
    ['CFG-02', 'AGENT_ROLE', 'worker', ' Tester ', 'tester'],
    ['CFG-03', 'WORKER_MODEL', '', 'm1', 'm1'],
    ['CFG-04', 'TESTER_MODEL', '', 'm2', 'm2'],
    ['CFG-05', 'DOCSER_MODEL', '', 'm3', 'm3'],
    ['CFG-06', 'REPO_MODE', 'github', 'local', 'local-git'],
    ['CFG-07', 'REPO_URL', '', 'https://example.com/a.git', 'https://example.com/a.git'],
    ['CFG-08', 'BASE_BRANCH', 'main', 'develop', 'develop'],
    ['CFG-09', 'LOCAL_REPO_PATH', '', '/repo', '/repo'],
    ['CFG-10', 'LOCAL_WORKTREE_ROOT', '', '/trees', '/trees'],
    ['CFG-11', 'WORKER_AUTO_VERIFY_MODE', 'hybrid', 'disabled', 'off'],
    ['CFG-12', 'WORKER_VERIFY_CONTRACT_PATH', '.opentiger/verify.contract.json', 'c.json', 'c.json'],
    ['CFG-13', 'WORKER_NO_CHANGE_RECOVERY_ATTEMPTS', 5, '2', 2],
    ['CFG-14', 'WORKER_VERIFY_RECOVERY_ATTEMPTS', 5, '-3', 0],
    ['CFG-15', 'WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT', true, 'FALSE', false],
    ['CFG-16', 'WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT', true, 'false', false],
    ['CFG-17', 'WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND', true, 'false', false],
    ['CFG-18', 'WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS', true, 'false', false],
    ['CFG-19', 'WORKER_VERIFY_INLINE_COMMAND_RECOVERY', true, 'false', false],
    ['CFG-20', 'WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES', 3, '99', 8],
    ['CFG-21', 'WORKER_POLICY_RECOVERY_USE_LLM', true, 'false', false],
    ['CFG-22', 'WORKER_POLICY_RECOVERY_ATTEMPTS', 5, '1', 1],
    ['CFG-23', 'WORKER_POLICY_RECOVERY_TIMEOUT_SECONDS', 90, '10', 10],
  ] as const)('%s %s: %j unless it says otherwise', (_row, variable, fallback, text, value) => {
    const find = (env: Record<string, string>) =>
      loadRuntime({}, env).all.find(({ setting }) => setting.variable === variable);
    expect(find({})).toMatchObject({ value: fallback, source: 'default' });
    expect(find({ [variable]: text })).toMatchObject({ value, source: 'environment' });
  });

  it("an agent of the project's own can be chosen; one that nobody defines is named", () => {
    const chosen = (name: string) => {
      const { all, warnings } = loadRuntime({ agents: { all: name } }, {}, { agents: ['myAgent'] });
      return [all.find(({ setting }) => setting.key === 'agents.all')?.value, ...warnings];
    };
    expect(chosen('myAgent')).toEqual(['myAgent']);
    expect(chosen('Claude')).toEqual(['claude']);
    expect(chosen('others')).toEqual([
      'codex',
      expect.stringMatching(/^agents\.all .*myAgent; "codex" is used/),
    ]);
  });

  it('a flag wins over a variable, that over the file; a wrong value is named and the next one counts', () => {
    const find = (...given: Parameters<typeof loadRuntime>) => {
      const { all, warnings } = loadRuntime(...given);
      const repairs = all.find(({ setting }) => setting.key === 'verify.repairs');
      return [repairs?.value, repairs?.source, warnings];
    };
    const file = { verify: { repairs: 1 } };
    const env = { WORKER_VERIFY_RECOVERY_ATTEMPTS: '2' };
    expect(find(file, env, { flags: { 'verify.repairs': '3' } })).toEqual([3, 'flag', []]);
    expect(find(file, env)).toEqual([2, 'environment', []]);
    expect(find(file, {})).toEqual([1, 'file', []]);
    expect(find(file, { WORKER_VERIFY_RECOVERY_ATTEMPTS: 'many' })).toEqual([
      1,
      'file',
      ['WORKER_VERIFY_RECOVERY_ATTEMPTS must be a whole number; 1 is used.'],
    ]);
    expect(find({ verify: { repiars: 1 } }, {})[2]).toEqual([
      'verify.repiars is not known. Did you mean "repairs"?',
    ]);
  });

  it('RUN-01 an unknown role is an error, not a worker', () => {
    expect(loadRuntime({}, { AGENT_ROLE: 'boss' }).errors).toEqual([
      { key: 'runtime.role', message: 'AGENT_ROLE must be one of worker, tester, docser.' },
    ]);
  });

  it('RUN-03 the executors have their old names too; a role may have its own', () => {
    const agents = (env: Record<string, string>) => runtimeSettings(loadRuntime({}, env), at).agents;
    expect(agents({}).worker).toBe('codex');
    expect(agents({ LLM_EXECUTOR: 'claude_code' }).docser).toBe('claude');
    expect(agents({ LLM_EXECUTOR: 'opencode', TESTER_LLM_EXECUTOR: 'claude-code' })).toMatchObject({
      worker: 'opencode',
      tester: 'claude',
    });
  });

  it('names the runtime by role and index, else by role and time', () => {
    const config = loadRuntime({}, { AGENT_ROLE: 'docser' });
    expect(runtimeSettings(config, { ...at, index: '2' }).id).toBe('docser-2');
    expect(runtimeSettings(config, at).id).toBe(`docser-${at.now}`);
  });

  it('has every variable once', () => {
    const variables = loadRuntime({}, {}).all.map(({ setting }) => setting.variable);
    expect(new Set(variables).size).toBe(variables.length);
  });
});
