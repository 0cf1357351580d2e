// What extending a change plan costs with 10 and with 1,000 active sessions of 100 paths each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../dist/store/open.js';

const ROUNDS = 200;
const PROMISE = 1.3;

async function updateTime(sessions) {
  const folder = mkdtempSync(join(tmpdir(), 'conflict-bench-'));
  const store = openStore(folder);
  const { plans } = store;
  for (let i = 0; i < sessions; i++) {
    const plan = Array.from({ length: 100 }, (_, j) => `packages/p${i}/src/module-${j}/file-${j}.ts`);
    await plans.enter(`session-${i}`, plan);
  }
  const spans = [];
  for (let round = 0; round < ROUNDS; round++) {
    const session = `session-${round % sessions}`;
    const began = performance.now();
    await plans.add(session, [`packages/shared/src/round-${round}.ts`]);
    spans.push(performance.now() - began);
  }
  store.close();
  rmSync(folder, { recursive: true });
  return spans.toSorted((a, b) => a - b)[ROUNDS / 2];
}

await updateTime(2);
const few = await updateTime(10);
const many = await updateTime(1000);
const ratio = many / few;
const verdict = ratio <= PROMISE ? 'ok' : 'MISSED';
console.log(
  `extending a change plan     1,000 sessions of 100 paths: ${many.toFixed(2)} ms / 10 sessions ${few.toFixed(2)} ms = ${ratio.toFixed(2)}x  at most ${PROMISE}x ${verdict}`,
);
process.exitCode = ratio <= PROMISE ? 0 : 1;
