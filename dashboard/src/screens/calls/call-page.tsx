import type { ReactElement } from 'react';
import { visible } from '../../../../src/kernel/visible.ts';
import { useRoute } from '../../api/use-route.ts';
import { CopyButton } from '../../parts/command.tsx';
import { Panel, View } from '../../parts/view.tsx';

/** One run of an agent: what went in, and what came out. */
export function CallPage({
  session,
  call,
}: {
  readonly session: string;
  readonly call: string;
}): ReactElement {
  const page = useRoute('call', { params: { id: session, call } });
  return (
    <View of={page}>
      {({ prompts, answer }) => (
        <div className="cards two">
          <Panel
            title="Request"
            aside={<CopyButton text={prompts.map(({ text }) => text).join('\n\n')} label="Copy it" />}
          >
            <div className="body">
              {prompts.map(({ task, text, at }) => (
                <pre key={`${task} ${at}`} className="lines" tabIndex={0} style={{ maxHeight: '60vh' }}>
                  {visible(text)}
                </pre>
              ))}
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
      )}
    </View>
  );
}
