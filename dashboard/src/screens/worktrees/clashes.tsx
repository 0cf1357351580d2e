import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useRoute } from '../../api/use-route.ts';
import { StatusWord } from '../../parts/status.tsx';
import { Panel, View } from '../../parts/view.tsx';

interface Clash {
  readonly path: string;
  readonly between: readonly { readonly kind: string; readonly id: string }[];
}

/** Who means to change what, and who stands in whose way. */
export function Clashes(): ReactElement {
  const plans = useRoute('plans');
  const conflicts = useRoute('conflicts');
  return (
    <View of={plans}>
      {({ plans: all }) => (
        <Panel title={`Plans · ${all.length}`}>
          <div className="body stack">
            {all.length === 0 ? <p className="quiet">Nobody has said what they will change.</p> : null}
            <ul>
              {all.map(({ id, status, paths }) => (
                <li key={id} className="row">
                  <StatusWord word={status === 'active' ? 'running' : status} shown={status} />
                  <Link href={`/sessions/${id}`} className="mono">
                    {id.slice(-6)}
                  </Link>
                  <code>{paths.join(' ')}</code>
                </li>
              ))}
            </ul>
            {((conflicts.data?.conflicts ?? []) as unknown as readonly Clash[]).map(({ path, between }) => (
              <p key={`${path} ${between.map(({ id }) => id).join(' ')}`}>
                <StatusWord word="halted" shown="clash" /> <code>{path}</code>:{' '}
                {between.map(({ kind, id }) => `${kind} ${id.slice(-6)}`).join(' and ')}
              </p>
            ))}
          </div>
        </Panel>
      )}
    </View>
  );
}
