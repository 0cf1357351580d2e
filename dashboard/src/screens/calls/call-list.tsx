import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { duration } from '../../../../src/kernel/words.ts';
import { useRoute } from '../../api/use-route.ts';
import { Money, short } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { Empty, View } from '../../parts/view.tsx';
import { CallPage } from './call-page.tsx';

export interface CallRow {
  readonly call: string;
  readonly step: number;
  readonly block?: string;
  readonly agent: string;
  readonly model?: string;
  readonly ok?: boolean;
  readonly tokens?: number;
  readonly usd?: number;
  readonly estimated?: boolean;
  readonly ms?: number;
}

/** Every run of an agent in a session, newest first; one of them in full. */
export function CallList({ session }: { readonly session: string }): ReactElement {
  const calls = useRoute('calls', { params: { id: session } });
  const [search, setSearch] = useSearchParams();
  const chosen = search.get('call');
  return (
    <View of={calls}>
      {({ calls: all }) => {
        if (all.length === 0) return <Empty>No agent was called.</Empty>;
        const open = all.find(({ call }) => call === chosen) ?? all[0];
        return (
          <div className="stack">
            <div className="panel wide" tabIndex={0} role="region" aria-label="Table">
              <table>
                <thead>
                  <tr>
                    <th className="number">Step</th>
                    <th>Block</th>
                    <th>Agent</th>
                    <th>Result</th>
                    <th className="number">Tokens</th>
                    <th className="number">Cost</th>
                    <th>Took</th>
                  </tr>
                </thead>
                <tbody>
                  {(all as unknown as readonly CallRow[]).map((row) => (
                    <tr key={row.call} aria-current={row.call === open?.call ? 'true' : undefined}>
                      <td className="number">
                        <button
                          type="button"
                          className="button plain"
                          onClick={() => setSearch({ call: row.call }, { replace: true })}
                        >
                          {row.step}
                        </button>
                      </td>
                      <td>{(row.block ?? '').replace(/^.*__/, '')}</td>
                      <td>
                        {row.agent} <span className="quiet">{row.model ?? ''}</span>
                      </td>
                      <td>
                        <StatusWord
                          word={row.ok === false ? 'failed' : 'completed'}
                          shown={row.ok === false ? 'failed' : 'ok'}
                        />
                      </td>
                      <td className="number">{row.tokens === undefined ? '' : short(row.tokens)}</td>
                      <td>
                        {row.usd === undefined ? null : (
                          <Money usd={row.usd} estimated={row.estimated ?? false} />
                        )}
                      </td>
                      <td className="number">{row.ms === undefined ? '' : duration(row.ms)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {open ? <CallPage key={open.call} session={session} call={open.call} /> : null}
          </div>
        );
      }}
    </View>
  );
}
