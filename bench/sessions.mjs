// How long a list of 10,000 sessions takes: it must come from the small files, not from the journals.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Orchestrator, SessionManager } from '../dist/index.js';

const SESSIONS = 10_000;
const AT_MOST_MS = 1000;
const ROUNDS = 5;

const root = mkdtempSync(join(tmpdir(), 'lw-bench-sessions-'));
try {
  await make();
  const times = Array.from({ length: ROUNDS }, list).sort((a, b) => a - b);
  const median = times[Math.floor(ROUNDS / 2)];
  const holds = median < AT_MOST_MS;
  console.log(
    `list of ${SESSIONS} sessions: ${Math.round(median)} ms (${holds ? 'holds' : 'DOES NOT HOLD'}: below ${AT_MOST_MS} ms)`,
  );
  process.exitCode = holds ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** One real session, copied under many ids. */
async function make() {
  const block = { worker: 'A', transitions: [] };
  const manifest = { nodes: { Main: { entry_block: 'A', blocks: { A: block } } } };
  const workers = { A: (context) => ({ signal: 'SIGNAL:SUCCESS', new_payload: context.execution_payload }) };
  const orchestrator = new Orchestrator(manifest, { workers, sessions: SessionManager.onDisk(root) });
  const { sessionId } = await orchestrator.execute('Main', {
    goal: 'a goal of the usual length, in one line',
  });
  const projection = readFileSync(join(root, sessionId, 'session.json'), 'utf8');
  for (let n = 1; n < SESSIONS; n++) {
    const id = `copy-${n}`;
    cpSync(join(root, sessionId), join(root, id), { recursive: true });
    writeFileSync(join(root, id, 'session.json'), projection.replaceAll(sessionId, id));
  }
}

function list() {
  const sessions = SessionManager.onDisk(root);
  const began = performance.now();
  const found = sessions.ids().map((id) => sessions.summary(id));
  if (found.length !== SESSIONS) throw new Error(`${found.length} sessions were listed`);
  return performance.now() - began;
}
