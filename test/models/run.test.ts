import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deferred } from '../../src/kernel/deferred.ts';
import { loopwright, start, write } from '../cli/support.ts';
import { git } from '../cli/workspace-support.ts';
import { docs, files, KEY, MODEL, project, RIGHT, run, TESTED, WRONG } from './lab.ts';
import { modelApi } from './model-api.ts';

describe('a model alone', () => {
  it('generates, writes, tests, is told the log, fixes and documents', async () => {
    const { code, stdout, stderr, api, cwd, env } = await run((_, count) =>
      count === 1
        ? files(WRONG.replace('-', '/'))
        : count === 2
          ? files(RIGHT)
          : { text: 'The sum was a difference.' },
    );
    expect(stdout + stderr).toContain('completed');
    expect(code).toBe(0);
    expect(api.received).toHaveLength(3);
    expect(api.received[1]?.text).toContain(TESTED);
    const shown = await loopwright(['diff'], { cwd, env });
    expect(shown.stdout).toContain('a + b');
  });

  it('documents through the writer where the project has documentation, and the tests run again on that', async () => {
    const api = await modelApi((_, count) => (count === 1 ? files(RIGHT) : docs('# Sums\n\nAdds.\n')));
    const cwd = project();
    write(cwd, { 'README.md': '# Sums\n\nTakes away.\n' });
    git(cwd, 'add', '.');
    git(cwd, 'commit', '-qm', 'readme');
    const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: KEY };
    const { stdout, code } = await loopwright(['run', 'make two and two four', '--agent', MODEL], {
      cwd,
      env,
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
    expect(stdout).toMatch(/WriteDocs +SUCCESS [^]*RunTests +SUCCESS [^]*CheckDocs +NO_CHANGE/);
    expect(api.received).toHaveLength(2);
    const shown = await loopwright(['diff'], { cwd, env });
    expect(shown.stdout).toContain('+Adds.');
    const step = await loopwright(['show', '--step', '1'], { cwd, env });
    expect(step.stdout).toContain('# System');
  });

  it('documentation that leaves the project is refused and corrected', async () => {
    const { code, stdout, api } = await run((_, count) => {
      if (count === 1) return files(RIGHT);
      return count === 2 ? docs('x', '../README.md') : docs('# Sums\n');
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/WriteDocs +FAILURE[^]*FixDocs +SUCCESS/)]);
    expect(api.received[2]?.text).toContain('../README.md');
  });

  it('looks around with tools that stay in the project', async () => {
    const { code, api } = await run((_, count) => {
      if (count === 1) return { tool: 'read_file', input: { path: '../../../../../etc/passwd' } };
      if (count === 2) return { tool: 'search_files', input: { text: 'module.exports' } };
      return count === 3 ? files(RIGHT) : { text: 'done' };
    });
    expect(code).toBe(0);
    expect(api.received[1]?.text).not.toContain('root:');
    expect(api.received[1]?.text).toContain('could be read');
    expect(api.received[2]?.text).toContain('sum.js:1: module.exports');
  });

  it('B-07 keeps every call as one file, without the key', async () => {
    const { cwd, session } = await run((_, count) => (count === 1 ? files(RIGHT) : { text: `done ${KEY}` }));
    const logs = join(cwd, '.loopwright/sessions', session, 'logs');
    const calls = readdirSync(logs).filter((name) => name.endsWith('.call.json'));
    expect(calls).toHaveLength(2);
    const records = calls.map((name) => JSON.parse(readFileSync(join(logs, name), 'utf8')) as object);
    expect(records[0]).toMatchObject({
      session,
      step: 1,
      model: MODEL,
      key: 'ANTHROPIC_API_KEY',
      request: { prompt: expect.stringContaining('make two and two four') },
      tokens: { input: 1200, cached: 200, output: 34 },
    });
    for (const path of readdirSync(join(cwd, '.loopwright'), { recursive: true, withFileTypes: true })) {
      if (!path.isFile() || path.name.endsWith('.db')) continue;
      expect(readFileSync(join(path.parentPath, path.name), 'utf8'), path.name).not.toContain(KEY);
    }
  });

  it('is counted: tokens of every call, and a budget ends it', async () => {
    const { stdout, code } = await run(() => files(WRONG), {}, ['--budget', 'tokens=1000']);
    expect(stdout).toContain('tokens');
    expect(code).toBe(2);
  });

  it('says what to do where there is no key, and starts nothing', async () => {
    const { stderr, code, api } = await run(() => files(RIGHT), { ANTHROPIC_API_KEY: '' });
    expect(stderr).toContain('There is no key for the models of anthropic.');
    expect(stderr).toContain('Set ANTHROPIC_API_KEY');
    expect(code).not.toBe(0);
    expect(api.received).toHaveLength(0);
  });

  it('halts on what cannot be helped by waiting, with the words of the provider', async () => {
    const { stdout, api, code } = await run(() => ({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' } },
    }));
    expect(code).toBe(2);
    expect(stdout).toContain('prompt is too long: 9 > 8');
    expect(api.received).toHaveLength(1);
  });

  it('an answer that is no JSON is asked for once more, with what is wrong with it', async () => {
    const broken = '{ "segments": [{ "type": "CODE_OUTPUT", ';
    const { code, api } = await run((_, count) => {
      if (count === 1) return { text: broken };
      return count === 2 ? files(RIGHT) : { text: 'nothing to document' };
    });
    expect(code).toBe(0);
    expect(api.received[1]?.text).toContain('breaks off in the middle of it');
    const twice = await run(() => ({ text: broken }));
    expect([twice.code, twice.api.received.length]).toEqual([2, 2]);
    expect(twice.stdout).toContain('cannot be used');
  });

  it('has so many turns and so many tokens as its roster says', async () => {
    const api = await modelApi(() => ({ tool: 'list_files', input: {} }));
    const cwd = project({ Coder: { model: MODEL, maxTurns: 2, maxTokens: 77 } });
    const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: KEY };
    const { stdout, code } = await loopwright(['run', 'make it so'], { cwd, env });
    expect(code).toBe(2);
    expect(stdout).toContain('until its turns were used up');
    expect(api.received).toHaveLength(2);
    expect(api.received[0]?.body['max_tokens']).toBe(77);
    expect(api.received[1]?.text).toContain('test/sum.test.js');
  });

  it('where the service of one is down, the next of the list takes over', async () => {
    const api = await modelApi(({ wire }, count) => {
      if (wire === 'anthropic') return { status: 529 };
      return count === 2 ? files(RIGHT) : { text: 'nothing to document' };
    });
    const cwd = project({ Coder: { models: [MODEL, 'openai/gpt-test'] } });
    const urls = { ANTHROPIC_BASE_URL: api.url, OPENAI_BASE_URL: `${api.url}/v1` };
    const env = { ...urls, ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: 'sk-other-0123456789' };
    const { stdout, code } = await loopwright(['run', 'make it so'], { cwd, env });
    expect(code).toBe(0);
    expect(stdout).toContain('openai/gpt-test takes over from anthropic/claude-test');
  });

  it('is ended at its time limit', async () => {
    const api = await modelApi(() => ({ hang: true }));
    const cwd = project({ Coder: { model: MODEL, minutes: 0.002 } });
    const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: KEY };
    const { stdout, code } = await loopwright(['run', 'make it so'], { cwd, env });
    expect(stdout).toContain('its time limit');
    expect(code).toBe(2);
  });

  it('is cancelled in the middle, and asked again after that', async () => {
    let hangs = true;
    const asked = deferred<void>();
    const api = await modelApi((_, count) => {
      if (count === 1) asked.resolve();
      if (hangs) return { hang: true };
      return count === 2 ? files(RIGHT) : { text: 'done' };
    });
    const cwd = project();
    const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: KEY };
    const first = start(['run', 'make it so', '--agent', MODEL], { cwd, env });
    await asked.promise;
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
    hangs = false;
    const second = await loopwright(['resume'], { cwd, env });
    expect(second.stdout).toContain('completed');
  });

  it('asks for what the schema of its block says, and is held against it', async () => {
    const api = await modelApi((_, count) => ({
      text: count === 1 ? '{"verdict": 7}' : '{"verdict": "good"}',
    }));
    const cwd = project();
    const again = { on_signal: 'SIGNAL:VALIDATION_FAIL', action: 'JUMP:Judge' };
    write(cwd, {
      'judge.json': {
        workers: { J: { model: 'local/tiny' } },
        schemas: {
          verdict: { type: 'object', properties: { verdict: { type: 'string' } }, required: ['verdict'] },
        },
        nodes: {
          Main: {
            entry_block: 'Judge',
            blocks: {
              Judge: {
                worker: 'J',
                instructions: 'Judge it.',
                validationSchema: 'verdict',
                transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }, again],
              },
            },
          },
        },
      },
      'home/loopwright/config.json': {
        providers: { local: { baseUrl: `${api.url}/v1`, keys: ['LOCAL_KEY'] } },
      },
    });
    const env = { XDG_CONFIG_HOME: join(cwd, 'home'), LOCAL_KEY: KEY };
    const args = ['run', 'judge', '-w', 'judge.json', '--in-place'];
    const { stdout } = await loopwright(args, { cwd, env });
    expect(stdout).toContain('in 2 steps');
    expect(api.received[0]?.body['response_format']).toMatchObject({ type: 'json_object' });
    expect(api.received[1]?.text).toContain('verdict');
  });
});
