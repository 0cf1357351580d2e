// Which steps a run plays. A script is JSON: {"turns": [{"when": "regex", "steps": [...]}, [...]]} or {"steps": [...]}.
import { readFileSync } from 'node:fs';

/** What the player does without a script. */
const CANNED = [{ say: 'This is the scripted agent. It has no script, so it changed nothing.' }];

const STEPS = new Set([
  'say',
  'write',
  'edit',
  'delete',
  'wait',
  'ask',
  'fetch',
  'search',
  'usage',
  'deny',
  'retry',
  'quota',
  'auth',
  'fail',
  'hang',
  'flood',
  'crash',
]);

/** The steps of this turn: by the number of the turn, and among fresh ones by what the prompt says. */
export function stepsOf({ scriptFile, prompt, turn }) {
  const file = scriptFile ?? /^\s*script:\s*(\S+)/m.exec(prompt)?.[1];
  if (!file) return CANNED;
  const turns = turnsOf(file);
  if (turn > 0) return turns[Math.min(turn, turns.length - 1)].steps;
  const meant = turns.find(({ when }) => when !== undefined && new RegExp(when, 'u').test(prompt));
  return (meant ?? turns.find(({ when }) => when === undefined) ?? { steps: CANNED }).steps;
}

function turnsOf(file) {
  const script = JSON.parse(readFileSync(file, 'utf8'));
  const turns = (script.turns ?? [script.steps]).map((turn) =>
    Array.isArray(turn) ? { steps: turn } : turn,
  );
  for (const [number, { steps }] of turns.entries()) {
    if (!Array.isArray(steps)) throw new Error(`${file}: turn ${number + 1} has no steps`);
    for (const [at, step] of steps.entries()) {
      const [name, ...more] = Object.keys(step ?? {});
      if (STEPS.has(name) && more.length === 0) continue;
      throw new Error(
        `${file}: step ${at + 1} of turn ${number + 1} must be one of ${[...STEPS].join(', ')}, not ${JSON.stringify(step)}`,
      );
    }
  }
  return turns;
}
