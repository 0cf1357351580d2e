// Thirty blocks whose workers leave a trace outside the session, so that every execution can be counted.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

export const BLOCKS = 30;
export const SESSION = 'faults';

const names = Array.from({ length: BLOCKS }, (_, i) => `B${String(i + 1).padStart(2, '0')}`);

export const manifest = {
  Main: {
    entry_block: names[0],
    blocks: Object.fromEntries(
      names.map((name, i) => [
        name,
        {
          worker: 'Trace',
          payload_merge_strategy: [],
          transitions: names[i + 1] ? [{ on_signal: 'SIGNAL:SUCCESS', action: `JUMP:${names[i + 1]}` }] : [],
        },
      ]),
    ),
  },
};

export function workers(folder, at = () => undefined) {
  const trace = (text) => appendFileSync(join(folder, 'trace'), `${text}\n`);
  return {
    Trace: async (context, run) => {
      const block = context.system_metadata.block_id;
      const number = Number(block.slice(-2));
      trace(`started ${block}`);
      run.progress({ number });
      await at(number, 'started');
      const segment = run.segment('NOTE', block);
      trace(`ended ${block}`);
      await at(number, 'ended');
      return { signal: 'SIGNAL:SUCCESS', new_payload: [...context.execution_payload, segment] };
    },
  };
}
