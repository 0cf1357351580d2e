import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { bytes } from '../../../../src/kernel/words.ts';
import { useRoute } from '../../api/use-route.ts';
import { LogView } from '../../log/log-view.tsx';

import { Empty, View } from '../../parts/view.tsx';
import type { TabProps } from './page.ts';

/** What the processes of a session printed, and print from now on. */
export default function Logs({ session: { id, ownerAlive } }: TabProps): ReactElement {
  const [search, setSearch] = useSearchParams();
  const logs = useRoute('logs', { params: { id } });
  const step = search.get('step');
  return (
    <View of={logs}>
      {({ logs: files }) => {
        const fitting = files.filter((log) => step === null || log.step === Number(step));
        const chosen = fitting.find(({ name }) => name === search.get('log')) ?? fitting.at(-1);
        if (chosen === undefined)
          return (
            <Empty>{step === null ? 'Nothing was printed so far.' : `Step ${step} printed nothing.`}</Empty>
          );
        return (
          <div className="stack">
            <label className="row">
              <span className="quiet">Log</span>
              <select
                value={chosen.name}
                onChange={({ target: { value } }) =>
                  setSearch({ log: value, ...(step === null ? {} : { step }) }, { replace: true })
                }
              >
                {fitting.map(({ name, task, step: of, agent, bytes: size }) => (
                  <option key={name} value={name}>
                    step {of} · {task}
                    {agent === undefined ? '' : ` · ${agent}`} · {bytes(size)}
                  </option>
                ))}
              </select>
              {step === null ? null : (
                <button type="button" className="button" onClick={() => setSearch({}, { replace: true })}>
                  All steps
                </button>
              )}
            </label>
            <LogView key={chosen.name} session={id} name={chosen.name} follows={ownerAlive} />
          </div>
        );
      }}
    </View>
  );
}
