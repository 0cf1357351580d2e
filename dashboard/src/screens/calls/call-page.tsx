import { lazy, type ReactElement, Suspense } from 'react';
import { useSearchParams } from 'wouter';
import { visible } from '../../../../src/kernel/visible.ts';
import { useRoute } from '../../api/use-route.ts';
import { CopyButton } from '../../parts/command.tsx';
import { Panel, View } from '../../parts/view.tsx';
import { word } from '../../text/word.ts';
import { ExperimentList } from './experiment-list.tsx';
import { RerunForm } from './rerun-form.tsx';

const ExperimentPage = lazy(() => import('./experiment-page.tsx'));

/** One run of an agent: what went in, what came out, and what comes out with other words. */
export function CallPage({
  session,
  call,
  step,
}: {
  readonly session: string;
  readonly call: string;
  readonly step: number;
}): ReactElement {
  const page = useRoute('call', { params: { id: session, call } });
  const [search, setSearch] = useSearchParams();
  const chosen = search.get('experiment');
  const open = (experiment: string) => setSearch({ session, call, experiment }, { replace: true });
  const close = () => setSearch({ session, call }, { replace: true });
  return (
    <View of={page}>
      {({ prompts, answer, ...original }) => (
        <div className="stack">
          <div className="cards two">
            <Panel
              title="Request"
              aside={<CopyButton text={prompts.map(({ text }) => text).join('\n\n')} label="Copy it" />}
            >
              <div className="body">
                <RerunForm
                  session={session}
                  call={call}
                  prompt={prompts.at(-1)?.text ?? ''}
                  agent={word(original['agent'])}
                  made={open}
                />
              </div>
            </Panel>
            <Panel title="Answer" aside={<CopyButton text={answer} label="Copy it" />}>
              <div className="body">
                <pre className="lines" tabIndex={0} style={{ maxHeight: '60vh' }}>
                  {visible(answer)}
                </pre>
              </div>
            </Panel>
          </div>
          <ExperimentList session={session} call={call} chosen={chosen} open={open} />
          {chosen === null ? null : (
            <Suspense fallback={<div className="skeleton" aria-busy="true" />}>
              <ExperimentPage
                key={chosen}
                id={chosen}
                original={{ session, step, prompt: prompts.at(-1)?.text ?? '', answer }}
                close={close}
              />
            </Suspense>
          )}
        </div>
      )}
    </View>
  );
}
