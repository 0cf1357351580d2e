import type { ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { clip, oneLine } from '../../../../src/kernel/words.ts';
import { useRoute } from '../../api/use-route.ts';
import { Empty, View } from '../../parts/view.tsx';
import { CallList } from './call-list.tsx';
import { CallTable } from './call-table.tsx';

/** What went into agents and models, and what came out, session by session. */
export default function Calls(): ReactElement {
  const [search, setSearch] = useSearchParams();
  const sessions = useRoute('sessions', { query: { limit: 100 } });
  return (
    <div className="stack">
      <h1>Calls</h1>
      <View of={sessions}>
        {({ sessions: all }) => {
          if (all.length === 0) return <Empty>No session so far.</Empty>;
          const chosen = search.get('session') ?? '';
          return (
            <>
              <label className="row">
                <span className="quiet">Session</span>
                <select
                  value={chosen}
                  onChange={({ target: { value } }) => setSearch(value === '' ? {} : { session: value })}
                >
                  <option value="">all of the newest</option>
                  {all.map((one) => (
                    <option key={one.id} value={one.id}>
                      {clip(oneLine('goal' in one ? one.goal : one.status), 70)} · {one.id.slice(-6)}
                    </option>
                  ))}
                </select>
              </label>
              {chosen === '' ? <Recent /> : <CallList key={chosen} session={chosen} />}
            </>
          );
        }}
      </View>
    </div>
  );
}

/** Newest first, whichever session they are of. */
function Recent(): ReactElement {
  const calls = useRoute('recentCalls');
  return (
    <View of={calls}>
      {({ calls: all }) =>
        all.length === 0 ? (
          <Empty>No agent was called.</Empty>
        ) : (
          <CallTable
            rows={all}
            first={({ session, call, step }) => (
              <Link href={`/calls?session=${session}&call=${call}`} aria-label={`Call of step ${step}`}>
                {session.slice(-6)} · {step}
              </Link>
            )}
          />
        )
      }
    </View>
  );
}
