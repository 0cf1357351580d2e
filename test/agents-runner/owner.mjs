// Owns one agent on a terminal, as built, and tells the pids: its own host's program and that program's child.
// It never ends by itself; whoever started it kills it.

import { fileURLToPath } from 'node:url';
import { createRunner } from '../../dist/agents/runner/pty.js';
import { createMasker } from '../../dist/kernel/mask.js';

const [, , mode, program, ...args] = process.argv;
const file = fileURLToPath(new URL(`../fake-agents/${program}.mjs`, import.meta.url));
const runner = createRunner(mode, {
  adapter: { name: program, getLaunchConfig: () => ({ command: process.execPath, args: [file, ...args] }) },
  cwd: '/',
  env: { PATH: process.env.PATH },
  masker: createMasker([]),
});
runner.events.subscribe((event) => {
  if (event.type === 'data') process.stdout.write(event.clean);
});
const { pid } = await runner.start();
process.stdout.write(`program ${pid}\n`);
setInterval(() => {}, 60_000);
