import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { useRoute } from '../../api/use-route.ts';
import { Empty, View } from '../../parts/view.tsx';
import { CallPage } from './call-page.tsx';
import { type CallRow, CallTable } from './call-table.tsx';

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
            <CallTable
              rows={all as unknown as readonly CallRow[]}
              open={open?.call}
              first={(row) => (
                <button
                  type="button"
                  className="button plain"
                  aria-label={`Call of step ${row.step}`}
                  onClick={() => setSearch({ session, call: row.call }, { replace: true })}
                >
                  {row.step}
                </button>
              )}
            />
            {open ? <CallPage key={open.call} session={session} call={open.call} step={open.step} /> : null}
          </div>
        );
      }}
    </View>
  );
}
