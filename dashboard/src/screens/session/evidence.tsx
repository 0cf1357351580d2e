import type { ReactElement } from 'react';
import { useRoute } from '../../api/use-route.ts';
import { StatusWord } from '../../parts/status.tsx';
import { Panel, View } from '../../parts/view.tsx';
import { Fact } from '../inbox/now.tsx';
import { blockName, type TabProps } from './page.ts';
import { SegmentView } from './segment.tsx';

const GATES = {
  // Whether it still counts is decided by the files that are there now: the tree it passed on is named beside it.
  passed: ['completed', 'passed'],
  failed: ['failed', 'failed'],
  doubted: ['halted', 'in doubt'],
  none: ['not started', 'never run'],
} as const;

/** What proves the work, and what stands against delivering it. */
export default function Evidence({ session: { id } }: TabProps): ReactElement {
  const evidence = useRoute('evidence', { params: { id } });
  const delivery = useRoute('delivery', { params: { id } });
  return (
    <div className="stack">
      <View of={evidence}>
        {({ gates, reports }) => (
          <>
            <Panel title="Gates">
              <ul>
                {gates.length === 0 ? (
                  <li className="item quiet">This workflow has none: it ends unverified.</li>
                ) : null}
                {gates.map(({ block, state, signal, tree }) => {
                  const [look, shown] = GATES[state];
                  return (
                    <li key={block} className="item row">
                      <StatusWord word={look} shown={shown} />
                      <strong className="grow">{blockName(block)}</strong>
                      <span className="quiet">
                        {signal?.replace(/^SIGNAL:/, '')}
                        {tree === undefined ? '' : ` on tree ${tree.slice(0, 12)}`}
                      </span>
                    </li>
                  );
                })}
              </ul>
            </Panel>
            {reports.length === 0 ? null : (
              <Panel title="Reports">
                <div className="body">
                  {reports.map((segment) => (
                    <SegmentView key={segment.id} segment={segment} />
                  ))}
                </div>
              </Panel>
            )}
          </>
        )}
      </View>
      <View of={delivery}>
        {({ base, branch, worktree, changedFiles, against }) => (
          <Panel title="Delivery">
            <div className="body stack">
              <dl className="facts">
                <Fact name="Into">{base ?? 'no branch is known'}</Fact>
                <Fact name="From">{branch ?? 'no branch of its own'}</Fact>
                <Fact name="Changed files">{changedFiles ?? 'unknown'}</Fact>
                <Fact name="Worktree">
                  <code>{worktree ?? 'gone'}</code>
                </Fact>
              </dl>
              <ul>
                {against.length === 0 ? <li>Nothing stands against it.</li> : null}
                {against.map((reason) => (
                  <li key={reason}>! {reason}</li>
                ))}
              </ul>
            </div>
          </Panel>
        )}
      </View>
    </div>
  );
}
