// A real process that runs (or takes over) a session whose one block runs a command. The command adds its pid to
// the file `starts`, and ends by itself only when the file `go` appears.
// argv: <work folder> <start|take-over>
import { join } from 'node:path';
import { Orchestrator, SessionManager } from '../../dist/index.js';

const SESSION = 'commanded';
const COMMAND = `
  const fs = require('node:fs');
  const look = () => { if (fs.existsSync('go')) process.exit(0); };
  fs.watch('.', look);
  fs.appendFileSync('starts', process.pid + '\\n');
  look();
`;
const manifest = {
  Main: {
    entry_block: 'Work',
    blocks: {
      Work: {
        worker: 'Internal:Command',
        with: { argv: [process.execPath, '-e', COMMAND] },
        transitions: [
          { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
          { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
        ],
      },
    },
  },
};

const [folder, how] = process.argv.slice(2);
const sessions = SessionManager.onDisk(join(folder, 'sessions'), { ids: () => SESSION });
const services = { sessions, workers: {}, worktreePath: folder };

try {
  const end =
    how === 'start'
      ? await new Orchestrator(manifest, services).execute('Main', { goal: 'go on' })
      : await Orchestrator.open(SESSION, services).resume({ takeOver: true });
  process.stdout.write(
    JSON.stringify({ status: end.status, signals: end.trail.map(({ signal }) => signal) }),
  );
} catch (error) {
  process.stdout.write(JSON.stringify({ error: error.name }));
}
