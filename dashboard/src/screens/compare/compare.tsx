import type { ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { duration } from '../../../../src/kernel/words.ts';
import { useRoute } from '../../api/use-route.ts';
import { isRed } from '../../graph/block-states.ts';
import { Money } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { Empty, View } from '../../parts/view.tsx';
import { blockName, type StepRow } from '../session/page.ts';

/** The ways of two sessions beside each other; where they part is marked. */
export default function Compare(): ReactElement {
  const [search] = useSearchParams();
  const [a, b] = [search.get('a') ?? '', search.get('b') ?? ''];
  const compared = useRoute('compare', { query: { a, b } }, { enabled: a !== '' && b !== '' });
  if (a === '' || b === '') return <Empty>Two sessions have to be named.</Empty>;
  return (
    <div className="stack">
      <h1>Compare</h1>
      <View of={compared}>
        {({ rows, differs }) => (
          <div className="panel wide" tabIndex={0} role="region" aria-label="Table">
            <table>
              <thead>
                <tr>
                  <Side id={a} />
                  <Side id={b} />
                </tr>
              </thead>
              <tbody>
                {rows.map((row, index) => (
                  <tr
                    key={`${row.a?.row ?? ''} ${row.b?.row ?? ''}`}
                    className={index === differs ? 'differs' : ''}
                  >
                    <Cells row={row.a} session={a} />
                    <Cells row={row.b} session={b} />
                  </tr>
                ))}
              </tbody>
            </table>
            {differs === null ? <p className="body quiet">They went the same way.</p> : null}
          </div>
        )}
      </View>
    </div>
  );
}

function Side({ id }: { readonly id: string }): ReactElement {
  const session = useRoute('session', { params: { id } }).data;
  return (
    <th colSpan={3} scope="colgroup">
      <Link href={`/sessions/${id}`}>{session?.goal ?? id.slice(-6)}</Link>{' '}
      {session ? <StatusWord word={session.word} /> : null}{' '}
      {session ? <Money usd={session.used.usd} /> : null}
    </th>
  );
}

function Cells({ row, session }: { readonly row: StepRow | null; readonly session: string }): ReactElement {
  if (row === null) return <td colSpan={3} className="quiet" />;
  return (
    <>
      <td>
        <Link href={`/sessions/${session}/flow?step=${row.step}`}>{row.step}</Link> {blockName(row.block)}
      </td>
      <td>
        <StatusWord
          word={isRed(row.signal) ? 'failed' : 'completed'}
          shown={row.signal.replace(/^SIGNAL:/, '')}
        />
      </td>
      <td className="number">{duration(row.ms)}</td>
    </>
  );
}
