import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import { duration } from '../../../../src/kernel/words.ts';
import { useRoute } from '../../api/use-route.ts';
import { isRed } from '../../graph/block-states.ts';
import { Money, short } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { When } from '../../parts/time.tsx';
import { View } from '../../parts/view.tsx';
import { Fact } from '../inbox/now.tsx';
import { ContextView } from './context.tsx';
import { blockName, type StepRow } from './page.ts';
import { SegmentView } from './segment.tsx';
import { StepActs } from './step-acts.tsx';

const PARTS = ['Context', 'Output', 'Why'] as const;
type Part = (typeof PARTS)[number];

/** One step in full: what it was given, what it answered, and why it led where it led. */
export function StepInspector({
  session,
  row,
  isPast,
}: {
  readonly session: string;
  readonly row: StepRow;
  readonly isPast: boolean;
}): ReactElement {
  const [part, setPart] = useState<Part>('Context');
  const { step, block, signal, attempt, ms, at, tokens, usd, files } = row;
  return (
    <section className="panel inspector" aria-label={`Step ${step}`}>
      <div className="title">
        <h3 className="grow">
          Step {step} · {blockName(block)}
          {attempt > 1 ? ` · attempt ${attempt}` : ''}
        </h3>
        {isPast ? <span className="chip">past</span> : null}
        <StatusWord word={isRed(signal) ? 'failed' : 'completed'} shown={signal.replace(/^SIGNAL:/, '')} />
      </div>
      <div className="body stack">
        <dl className="facts">
          <Fact name="Took">{duration(ms)}</Fact>
          <Fact name="Ended">
            <When at={at} />
          </Fact>
          {tokens > 0 ? <Fact name="Tokens">{short(tokens)}</Fact> : null}
          {usd > 0 ? (
            <Fact name="Cost">
              <Money usd={usd} />
            </Fact>
          ) : null}
        </dl>
        <p className="row">
          {files ? <Link href={`/sessions/${session}/changes?step=${step}`}>Files it changed</Link> : null}
          <Link href={`/sessions/${session}/logs?step=${step}`}>Log</Link>
        </p>
        <StepActs session={session} step={step} />
        <div className="chips" role="group" aria-label="Part">
          {PARTS.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={part === one}
              onClick={() => setPart(one)}
            >
              {one}
            </button>
          ))}
        </div>
        {part === 'Context' ? <ContextOf session={session} step={step} /> : null}
        {part === 'Output' ? <OutputOf session={session} step={step} /> : null}
        {part === 'Why' ? <WhyOf row={row} session={session} /> : null}
      </div>
    </section>
  );
}

function ContextOf({ session, step }: { readonly session: string; readonly step: number }): ReactElement {
  const context = useRoute('stepContext', { params: { id: session, step } });
  return <View of={context}>{(given) => <ContextView context={given} />}</View>;
}

function OutputOf({ session, step }: { readonly session: string; readonly step: number }): ReactElement {
  const record = useRoute('step', { params: { id: session, step } });
  return (
    <View of={record}>
      {({ added, dropped, strayed = [] }) => (
        <div className="stack">
          {added.length === 0 ? <p className="quiet">It added nothing to the history.</p> : null}
          {added.map((segment) => (
            <SegmentView key={segment.id} segment={segment} open />
          ))}
          {dropped.length === 0 ? null : <p className="quiet">It dropped {dropped.length} segments.</p>}
          {strayed.length === 0 ? null : <p>Changed outside of its paths: {strayed.join(', ')}</p>}
        </div>
      )}
    </View>
  );
}

const MATCHED = {
  exact: 'a transition names exactly this signal',
  default: 'no transition names it, so the default was taken',
  none: 'no transition fits it',
} as const;

function WhyOf({ session, row }: { readonly session: string; readonly row: StepRow }): ReactElement {
  const record = useRoute('step', { params: { id: session, step: row.step } });
  return (
    <dl className="why">
      <dt>Signal</dt>
      <dd>
        <code>{row.signal}</code>
      </dd>
      <dt>Transition</dt>
      <dd>{MATCHED[row.matched]}</dd>
      <dt>Action</dt>
      <dd>
        <code>{row.action ?? 'none'}</code>
      </dd>
      <dt>Then</dt>
      <dd>{row.next === null ? 'the end, or a person' : blockName(row.next)}</dd>
      {record.data?.failure === undefined ? null : (
        <>
          <dt>Failure</dt>
          <dd>
            <code>{record.data.failure}</code>
          </dd>
        </>
      )}
      {record.data?.tree === undefined ? null : (
        <>
          <dt>Files as of</dt>
          <dd>
            <code>{record.data.tree.slice(0, 12)}</code>
          </dd>
        </>
      )}
      {record.data?.stack === undefined ? null : (
        <>
          <dt>Return stack</dt>
          <dd>
            keeps {record.data.stack.keep}
            {record.data.stack.push.length === 0 ? '' : `, adds ${record.data.stack.push.join(', ')}`}
          </dd>
        </>
      )}
    </dl>
  );
}
