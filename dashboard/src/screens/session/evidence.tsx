import type { ReactElement } from 'react';
import { useRoute } from '../../api/use-route.ts';
import { Panel, View } from '../../parts/view.tsx';
import { Fact } from '../inbox/now.tsx';
import type { TabProps } from './page.ts';

/** What is known of the work, and what stands against delivering it. */
export default function Evidence({ session: { id } }: TabProps): ReactElement {
  const delivery = useRoute('delivery', { params: { id } });
  return (
    <View of={delivery}>
      {({ base, branch, worktree, changedFiles, against }) => (
        <div className="stack">
          <Panel title="What would be delivered">
            <dl className="facts body">
              <Fact name="Into">{base ?? 'no branch is known'}</Fact>
              <Fact name="From">{branch ?? 'no branch of its own'}</Fact>
              <Fact name="Changed files">{changedFiles ?? 'unknown'}</Fact>
              <Fact name="Worktree">
                <code>{worktree ?? 'gone'}</code>
              </Fact>
            </dl>
          </Panel>
          <Panel title="What stands against it">
            <ul className="body">
              {against.length === 0 ? <li>Nothing.</li> : null}
              {against.map((reason) => (
                <li key={reason}>! {reason}</li>
              ))}
            </ul>
          </Panel>
        </div>
      )}
    </View>
  );
}
