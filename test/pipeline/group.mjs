// Runs two sessions at once until it is told to stop; prints their ids, and what they are after a signal.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, folder] = process.argv.slice(2);
const { SessionGroup, SessionManager } = await import(pathToFileURL(join(dist, 'index.js')).href);
const sessions = SessionManager.onDisk(join(folder, 'sessions'));
const block = {
  worker: 'Internal:Command',
  with: { argv: [process.execPath, '-e', 'setInterval(() => {}, 1000)'] },
  transitions: [],
};
const manifest = { Main: { entry_block: 'Wait', blocks: { Wait: block } } };
const group = new SessionGroup();
group.onSignals((code) => process.exit(code));
let started = 0;
group.events.subscribe((event) => {
  if (event.type === 'step.progressed' && event.note.process && ++started === 2)
    process.stdout.write(`running ${group.ids().join(' ')}\n`);
});
for (let i = 0; i < 2; i++) group.start(manifest, { workers: {}, sessions, worktreePath: folder }, 'Main');
