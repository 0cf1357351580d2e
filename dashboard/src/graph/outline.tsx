import type { ReactElement } from 'react';
import { StatusWord } from '../parts/status.tsx';
import { blockName } from '../screens/session/page.ts';
import { type BlockState, PENDING } from './block-states.ts';
import type { Drawn } from './layout.ts';

const LOOKS: { readonly [state in BlockState['state']]: readonly [look: string, shown: string] } = {
  pending: ['not started', 'not run so far'],
  active: ['running', 'runs'],
  passed: ['completed', 'passed'],
  failed: ['failed', 'failed'],
  unrun: ['halted', 'not run: limit'],
};

/** The same as the graph, as a list: for screen readers, and where there is no room. */
export function Outline({
  graph,
  states,
  choose,
}: {
  readonly graph: Drawn;
  readonly states: ReadonlyMap<string, BlockState>;
  readonly choose: (block: string) => void;
}): ReactElement {
  return (
    <details className="panel outline">
      <summary>Blocks as a list</summary>
      <ul>
        {graph.blocks.map(({ id, gate }) => {
          const { state, visits } = states.get(id) ?? PENDING;
          const [look, shown] = LOOKS[state];
          return (
            <li key={id} className="row">
              <button
                type="button"
                className="button plain"
                disabled={visits === 0}
                onClick={() => choose(id)}
              >
                {blockName(id)}
              </button>
              <StatusWord word={look} shown={`${shown}${visits > 1 ? ` ×${visits}` : ''}`} />
              {gate ? <span className="chip">gate</span> : null}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
