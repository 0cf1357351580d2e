import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { clip, oneLine } from '../../../../src/kernel/words.ts';
import { useRoute } from '../../api/use-route.ts';
import { Empty, View } from '../../parts/view.tsx';
import { CallList } from './call-list.tsx';

/** What went into agents and models, and what came out, session by session. */
export default function Calls(): ReactElement {
  const [search, setSearch] = useSearchParams();
  const sessions = useRoute('sessions', { query: { limit: 100 } });
  return (
    <div className="stack">
      <h1>Calls</h1>
      <View of={sessions}>
        {({ sessions: all }) => {
          const chosen = search.get('session') ?? all[0]?.id;
          if (chosen === undefined) return <Empty>No session so far.</Empty>;
          return (
            <>
              <label className="row">
                <span className="quiet">Session</span>
                <select value={chosen} onChange={({ target: { value } }) => setSearch({ session: value })}>
                  {all.map((one) => (
                    <option key={one.id} value={one.id}>
                      {clip(oneLine('goal' in one ? one.goal : one.status), 70)} · {one.id.slice(-6)}
                    </option>
                  ))}
                </select>
              </label>
              <CallList key={chosen} session={chosen} />
            </>
          );
        }}
      </View>
    </div>
  );
}
