import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLocation } from 'wouter';
import { duration } from '../../../../src/kernel/words.ts';
import { AskDialog } from '../../act/ask.tsx';
import { call } from '../../api/call.ts';
import { askAgain, routeKey } from '../../api/use-route.ts';
import { Sides } from '../../diff/file-diff.tsx';
import { useMe } from '../../frame/me.ts';
import { Money, short } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { Panel, Problem, View } from '../../parts/view.tsx';
import { changedWords } from './changed-words.ts';
import { CompareFiles } from './compare-files.tsx';
import { ASK_EVERY_MS, type Experiment, isUnderWay } from './experiment-list.tsx';

export interface Original {
  readonly session: string;
  readonly step: number;
  readonly prompt: string;
  readonly answer: string;
}

/** One experiment beside the call it was made of, also when it failed. */
export default function ExperimentPage({
  id,
  original,
  close,
}: {
  readonly id: string;
  readonly original: Original;
  readonly close: () => void;
}): ReactElement {
  const params = { id };
  const found = useQuery({
    queryKey: routeKey('experiment', { params }),
    queryFn: () => call('experiment', { params }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? ASK_EVERY_MS : false),
  });
  return (
    <View of={found}>
      {(experiment) => (
        <section className="stack" aria-label="Experiment">
          <Head experiment={experiment} original={original} close={close} />
          <Sides
            path="Prompt"
            before={original.prompt}
            after={experiment.prompt}
            view="split"
            point={nothing}
          />
          {isUnderWay(experiment) ? (
            <p className="quiet">It runs. What it says is shown when it has ended.</p>
          ) : (
            <>
              <Sides
                path="Answer"
                before={original.answer}
                after={experiment.answer}
                view="split"
                point={nothing}
              />
              <CompareFiles original={original} experiment={experiment} />
            </>
          )}
        </section>
      )}
    </View>
  );
}

const nothing = (): void => {};

function Head({
  experiment,
  original,
  close,
}: {
  readonly experiment: Experiment;
  readonly original: Original;
  readonly close: () => void;
}): ReactElement {
  const { readOnly } = useMe();
  const [, go] = useLocation();
  const client = useQueryClient();
  const [using, setUsing] = useState(false);
  const params = { id: experiment.experiment };
  const stopping = useMutation({ mutationFn: () => call('stopExperiment', { params, body: {} }) });
  const removing = useMutation({
    mutationFn: () => call('removeExperiment', { params, body: {} }),
    onSuccess: () => {
      askAgain(client, 'experiments');
      close();
    },
  });
  const { status, usd, estimated, tokens, ms, code, ended, error, maxUsd } = experiment;
  const problem = stopping.error ?? removing.error;
  return (
    <Panel
      title="Original and experiment"
      aside={<StatusWord word={status === 'capped' ? 'halted' : status} shown={status} />}
    >
      <div className="body stack">
        <p>
          <Money usd={usd} estimated={estimated} /> of at most ${maxUsd.toFixed(2)} · {short(tokens)} tokens ·{' '}
          {duration(ms)}
          {code === undefined ? '' : ` · exit code ${code}`}
          {ended === undefined ? '' : ` · ${ended}`}
        </p>
        {status === 'capped' ? <p>It was ended because it had used what it may cost.</p> : null}
        {error ? <p role="alert">{error.message}</p> : null}
        {problem ? <Problem error={problem} /> : null}
        <div className="row">
          {isUnderWay(experiment) ? (
            <button type="button" className="button" disabled={readOnly} onClick={() => stopping.mutate()}>
              Stop it
            </button>
          ) : (
            <>
              <button type="button" className="button" disabled={readOnly} onClick={() => setUsing(true)}>
                Use this…
              </button>
              <button type="button" className="button" disabled={readOnly} onClick={() => removing.mutate()}>
                Delete the experiment
              </button>
            </>
          )}
          <button type="button" className="button" onClick={close}>
            Close
          </button>
        </div>
      </div>
      {using ? (
        <AskDialog
          action={{
            id: 'session.fork',
            label: `Fork before step ${original.step}`,
            why: 'A new session begins with the files and the history as they were before this call. This one stays as it is.',
            needs: ['guidance'],
            with: {
              session: original.session,
              step: original.step - 1,
              guidance: changedWords(original.prompt, experiment.prompt),
            },
          }}
          close={() => setUsing(false)}
          done={(reply) => {
            const made = (reply as { readonly session?: string }).session;
            if (made !== undefined) go(`/compare?a=${original.session}&b=${made}`);
          }}
        />
      ) : null}
    </Panel>
  );
}
