// What each step of a script does. A step that ends the run gives how; the others give nothing.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Plays steps until one ends the run: {exitCode, error?}; undefined when all were played. */
export async function play(steps, face, { permissions }) {
  const run = { face, permissions, answer: '', count: 0 };
  for (const step of steps) {
    const [[name, value]] = Object.entries(step);
    const ending = await PLAYERS[name](filled(value, run.answer), run);
    if (ending) return ending;
  }
  return undefined;
}

const PLAYERS = {
  say: (text, { face }) => face.emit({ type: 'text', text }),
  usage: ({ input = 0, cached = 0, output = 0, usd }, { face }) =>
    face.emit({ type: 'usage', tokens: { input, cached, output }, usd, estimated: false }),
  // Pretends to look at the web: its events are those of an agent that does.
  fetch: (url, run) => useTool(run, 'web_fetch', { url }, `the page ${url}`),
  search: ({ query, found = [] }, run) => useTool(run, 'web_search', { query }, found.join('\n')),
  wait: (ms) => sleep(ms),
  retry: ({ reason = 'overloaded', ...rest }, { face }) => face.emit({ type: 'retrying', reason, ...rest }),
  deny: ({ tool = 'write', reason = 'not permitted' }, { face }) =>
    face.emit({ type: 'denied', tool, reason }),
  write: ({ path, content = '' }, run) =>
    changeFile(run, 'write', path, () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }),
  edit: ({ path, find, replace }, run) =>
    changeFile(run, 'edit', path, () => {
      const before = readFileSync(path, 'utf8');
      if (!before.includes(find)) throw new Error(`${path} does not contain ${JSON.stringify(find)}`);
      writeFileSync(
        path,
        before.replace(find, () => replace),
      );
    }),
  delete: (path, run) => changeFile(run, 'delete', path, () => rmSync(path)),
  async ask(value, run) {
    const { question, choices = [] } = typeof value === 'string' ? { question: value } : value;
    const answer = await run.face.ask(`q${++run.count}`, question, choices);
    if (answer === undefined) return failed(1, { kind: 'crash', message: 'Nobody answered the question.' });
    run.answer = answer;
  },
  quota: ({ resetAt, inMs, message = 'The usage limit is reached.' }) => {
    const at =
      inMs === undefined ? (typeof resetAt === 'string' ? Date.parse(resetAt) : resetAt) : Date.now() + inMs;
    return failed(1, { kind: 'quota', message, resetAt: at });
  },
  auth: (value) =>
    failed(1, { kind: 'auth', message: typeof value === 'string' ? value : 'The agent is not logged in.' }),
  fail: ({ exitCode = 1, kind = 'refused', message = 'The script fails here.' }) =>
    failed(exitCode, { kind, message }),
  // A timer holds the process: a promise alone would not.
  hang: () => sleep(2 ** 31 - 1),
  async flood({ lines = 1000, text = 'flood '.repeat(20) }, { face }) {
    for (let line = 0; line < lines; line++) await face.flood(`${text}${line}\n`);
  },
  async crash(signal) {
    process.kill(process.pid, typeof signal === 'string' ? signal : 'SIGKILL');
    await sleep(60_000);
  },
};

function failed(exitCode, error) {
  return { exitCode, error: { type: 'error', ...error } };
}

async function useTool(run, name, input, output) {
  const id = `t${++run.count}`;
  await run.face.emit({ type: 'tool', id, name, input });
  await run.face.emit({ type: 'tool.ended', id, ok: true, output });
}

async function changeFile(run, tool, path, change) {
  const id = `t${++run.count}`;
  await run.face.emit({ type: 'tool', id, name: tool, input: { path } });
  if (run.permissions === 'read') {
    await run.face.emit({ type: 'denied', tool, reason: 'It may only read.' });
    return run.face.emit({ type: 'tool.ended', id, ok: false, output: 'denied' });
  }
  if (run.permissions === 'ask') {
    const answer = await run.face.ask(`q${run.count}`, `May I ${tool} ${path}?`, ['Yes', 'No']);
    if (!/^(?:1|y|yes)$/i.test(answer ?? '')) {
      await run.face.emit({ type: 'denied', tool, reason: 'The person denied this.' });
      return run.face.emit({ type: 'tool.ended', id, ok: false, output: 'denied' });
    }
  }
  const was = existsSync(path);
  try {
    change();
  } catch (error) {
    return run.face.emit({ type: 'tool.ended', id, ok: false, output: error.message });
  }
  await run.face.emit({ type: 'tool.ended', id, ok: true, output: '' });
  const is = tool === 'delete' ? 'removed' : was ? 'changed' : 'added';
  return run.face.emit({ type: 'file', path, change: is });
}

/** `{{answer}}` in the texts of a step is the last answer. */
function filled(value, answer) {
  if (typeof value === 'string') return value.replaceAll('{{answer}}', () => answer);
  if (Array.isArray(value)) return value.map((inner) => filled(inner, answer));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, answer)]));
}
