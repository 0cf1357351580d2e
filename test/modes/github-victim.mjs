// A real process that delivers a task to GitHub and kills itself with SIGKILL at one point of it.
// argv: <request as JSON>
import { loadConfig } from '../../dist/config/load-config.js';
import { prepareFor } from '../../dist/tasks/prepare/prepare-for.js';

const { dir, url, api, point, claim, request } = JSON.parse(process.argv[2]);
const repository = { url, base: 'main', path: '', workspace: '', api };

function onStep(step) {
  if (step !== point) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;); // SIGKILL is not handled, but it may arrive an instant later
}

const prepare = prepareFor('github', { config: loadConfig(dir), repository, onStep });
const tree = await prepare(claim, new AbortController().signal);
await tree.deliver(request);
