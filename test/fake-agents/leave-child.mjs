// Starts a child that never ends, prints its pid and goes.
//   --escape       the child leaves the process group
//   --hold         the child keeps our output open
//   --stay         we do not go either
//   --ignore-term  the child cannot be ended with SIGTERM
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const options = new Set(process.argv.slice(2));
const hang = fileURLToPath(new URL('hang.mjs', import.meta.url));
const args = options.has('--ignore-term') ? [hang, '--ignore-term'] : [hang];
const child = spawn(process.execPath, args, {
  detached: options.has('--escape'),
  stdio: ['ignore', options.has('--hold') ? 'inherit' : 'pipe', 'ignore'],
});
if (child.stdout) await new Promise((resolve) => child.stdout.once('data', resolve));
process.stdout.write(`child ${child.pid}\n`);
if (options.has('--stay')) setTimeout(() => {}, 600_000);
else process.exit(0);
