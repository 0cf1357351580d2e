import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { duration } from '../../../../src/kernel/words.ts';
import { call } from '../../api/call.ts';
import { routeKey } from '../../api/use-route.ts';
import { Money } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { Panel, View } from '../../parts/view.tsx';

export type Experiment = ReplyOf<'experiment'>;

/** Nobody tells of experiments: while one runs it is asked for. */
export const ASK_EVERY_MS = 1000;

export function isUnderWay({ status }: Pick<Experiment, 'status'>): boolean {
  return status === 'running' || status === 'waiting';
}

/** What was tried with a call, newest first. */
export function ExperimentList({
  session,
  call: asked,
  chosen,
  open,
}: {
  readonly session: string;
  readonly call: string;
  readonly chosen: string | null;
  readonly open: (experiment: string) => void;
}): ReactElement {
  const params = { id: session };
  const found = useQuery({
    queryKey: routeKey('experiments', { params }),
    queryFn: () => call('experiments', { params }),
    refetchInterval: ({ state }) => (state.data?.experiments.some(isUnderWay) ? ASK_EVERY_MS : false),
  });
  return (
    <View of={found}>
      {({ experiments }) => {
        const own = experiments.filter((each) => each.call === asked);
        if (own.length === 0) return null;
        return (
          <Panel title="Experiments">
            <div className="wide" tabIndex={0} role="region" aria-label="Experiments">
              <table>
                <tbody>
                  {own.map((each, place) => (
                    <tr key={each.experiment} aria-current={each.experiment === chosen ? 'true' : undefined}>
                      <td>
                        <button type="button" className="button plain" onClick={() => open(each.experiment)}>
                          Experiment {own.length - place}
                        </button>
                      </td>
                      <td>
                        <StatusWord
                          word={each.status === 'capped' ? 'halted' : each.status}
                          shown={each.status}
                        />
                      </td>
                      <td>
                        {each.agent} <span className="quiet">{each.model ?? ''}</span>
                      </td>
                      <td>
                        <Money usd={each.usd} estimated={each.estimated} />
                      </td>
                      <td className="number">{duration(each.ms)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Panel>
        );
      }}
    </View>
  );
}
