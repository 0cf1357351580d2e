import { age, duration } from '../../kernel/words.ts';
import { openKeptSession } from '../../project/files/opened-session.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';

export interface TimelineOptions {
  readonly dir?: string;
  readonly json?: true;
}

/** Every step of a session, and which of them changed files. */
export async function timeline(
  screen: Screen,
  written: string | undefined,
  options: TimelineOptions,
): Promise<number> {
  const { opened, id, snapshot, checkpoints } = await openKeptSession(written, options.dir);
  const saved = await checkpoints.timeline();
  const steps = snapshot.state.trail.toArray();
  if (options.json) {
    screen.json({ session: id, steps, checkpoints: saved });
    return 0;
  }
  const at = new Map(saved.map((entry) => [entry.step, entry]));
  const rows = steps.map((entry) => {
    const files = entry.ran ? at.get(entry.step) : undefined;
    const changed = files ? `+${files.added} ~${files.modified} -${files.deleted}` : '';
    return [
      String(entry.step),
      entry.block,
      entry.signal.replace(/^SIGNAL:/, ''),
      duration(entry.ms),
      age(Date.now() - entry.at),
      changed,
    ];
  });
  for (const line of table(['step', 'block', 'signal', 'took', 'ago', 'files'], rows, screen.style.dim))
    screen.line(line);
  const last = saved.at(-1)?.step ?? 0;
  screen.line(`${screen.style.cyan('next:')} ${opened.project.command('fork', id, '--at', String(last))}`);
  return 0;
}
