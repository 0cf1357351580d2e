import type { ReactElement, ReactNode } from 'react';
import { duration } from '../../../../src/kernel/words.ts';
import { Money, short } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';

export interface CallRow {
  readonly call: string;
  readonly session: string;
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

/** Runs of agents, newest first; `first` is how one of them is opened. */
export function CallTable({
  rows,
  open,
  first,
}: {
  readonly rows: readonly CallRow[];
  readonly open?: string | undefined;
  readonly first: (row: CallRow) => ReactNode;
}): ReactElement {
  return (
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
          {rows.map((row) => (
            <tr key={`${row.session} ${row.call}`} aria-current={row.call === open ? 'true' : undefined}>
              <td className="number">{first(row)}</td>
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
                {row.usd === undefined ? null : <Money usd={row.usd} estimated={row.estimated ?? false} />}
              </td>
              <td className="number">{row.ms === undefined ? '' : duration(row.ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
