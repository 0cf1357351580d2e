import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useRoute } from '../../api/use-route.ts';
import { useTopic } from '../../live/use-live.ts';
import { Money } from '../../parts/money.tsx';
import { StageStatus } from '../../parts/stage-status.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { When } from '../../parts/time.tsx';
import { Empty, Panel, View } from '../../parts/view.tsx';

/** Sessions whose stages run several agents side by side. */
export default function Pipelines(): ReactElement {
  useTopic('overview');
  const sessions = useRoute('sessions', { query: { limit: 200 } });
  return (
    <div className="stack">
      <h1>Pipelines</h1>
      <View of={sessions}>
        {({ sessions: all }) => {
          const pipelines = all.flatMap((one) =>
            'currentStageIndex' in one && one.currentStageIndex !== null ? [one] : [],
          );
          if (pipelines.length === 0)
            return <Empty command="loopwright pipeline <file>">No pipeline has run so far.</Empty>;
          return pipelines.map((one) => (
            <Panel
              key={one.id}
              title={<Link href={`/sessions/${one.id}/terminal`}>{one.goal}</Link>}
              aside={<StatusWord word={one.word} />}
            >
              <div className="body row">
                <span>stage {(one.currentStageIndex ?? 0) + 1}</span>
                {Object.entries(one.tasks).map(([task, status]) => (
                  <span key={task} className="chip">
                    {task} <StageStatus status={status} />
                  </span>
                ))}
                <Money usd={one.used.usd} />
                <span className="quiet">
                  <When at={one.createdAt} />
                </span>
              </div>
            </Panel>
          ));
        }}
      </View>
    </div>
  );
}
