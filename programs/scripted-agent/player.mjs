#!/usr/bin/env node
// An agent without a model and without a network: it plays a script. For demonstrations and tests.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { headlessFace, terminalFace } from './face.mjs';
import { stepsOf } from './script.mjs';
import { play } from './steps.mjs';

// Whoever reads us may go away first.
process.stdout.on('error', () => process.exit(0));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: true,
  options: {
    mode: { type: 'string', default: 'headless' },
    script: { type: 'string' },
    permissions: { type: 'string', default: 'edits' },
    model: { type: 'string', default: 'script' },
    resume: { type: 'string' },
    fork: { type: 'boolean', default: false },
  },
});

// The turn stands in the id of the conversation, so nothing has to be stored.
const [resumed = randomUUID(), told] = (values.resume ?? '').split('#').filter(Boolean);
const conversation = values.fork ? randomUUID() : resumed;
const scriptFile = values.script ?? process.env['LOOPWRIGHT_SCRIPT'];
let turn = values.resume === undefined ? 0 : Number(told ?? 1);
try {
  process.exitCode = values.mode === 'interactive' ? await interact() : await answerOnce();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
process.stdin.destroy();

async function answerOnce() {
  const face = headlessFace();
  const prompt = positionals.join(' ');
  const steps = stepsOf({ scriptFile, prompt, turn });
  await face.emit({ type: 'session', id: `${conversation}#${turn + 1}`, model: values.model });
  const ending = await play(steps, face, values);
  if (ending?.error) await face.emit(ending.error);
  await face.emit({ type: 'result', ok: ending === undefined, text: ending?.error?.message ?? '' });
  return ending?.exitCode ?? 0;
}

async function interact() {
  const face = terminalFace();
  let prompt = positionals.length > 0 ? positionals.join(' ') : await face.nextTask();
  while (prompt !== undefined && prompt.trim() !== 'exit') {
    await face.begin();
    const ending = await play(stepsOf({ scriptFile, prompt, turn }), face, values);
    if (ending?.error) await face.emit(ending.error);
    if (ending) return ending.exitCode;
    turn += 1;
    prompt = await face.nextTask();
  }
  return 0;
}
