import type { ReactElement } from 'react';
import { useRoute } from '../../api/use-route.ts';
import { useTopic } from '../../live/use-live.ts';
import { Panel, View } from '../../parts/view.tsx';
import { Clashes } from '../worktrees/clashes.tsx';
import type { TabProps } from './page.ts';

/** What a session means to change, beside what it has changed. */
export default function Plan({ session: { id } }: TabProps): ReactElement {
  useTopic('plans');
  const plan = useRoute('plan', { params: { id } });
  const diff = useRoute('diff', { params: { id }, query: {} });
  return (
    <div className="stack">
      <View of={plan}>
        {({ paths }) => (
          <Panel title="Planned">
            <div className="body">
              {paths.length === 0 ? <p className="quiet">No plan: it may change anything.</p> : null}
              {paths.map((path) => (
                <p key={path}>
                  <code>{path}</code>
                </p>
              ))}
            </div>
          </Panel>
        )}
      </View>
      {diff.data ? (
        <Panel title="Really changed">
          <div className="body">
            {diff.data.files.length === 0 ? <p className="quiet">Nothing so far.</p> : null}
            {diff.data.files.map(({ path }) => (
              <p key={path}>
                <code>{path}</code>
              </p>
            ))}
          </div>
        </Panel>
      ) : null}
      <Clashes />
    </div>
  );
}
